// A service that was killed leaves its last minutes on the tape and perhaps not in the bars; its next start would make
// them anew from there. An import takes that over, so that from then on every stored bar can be trusted and no start has
// to read imported ticks.
import { asEpochMs, CATALOGUE, Engine, type EngineEvent, type InstrumentSpec, LATE_WINDOW_MS } from '@tickwire/engine';
import { silentLog } from '../ops/log.ts';
import { Recorder } from '../store/recorder.ts';
import { restoreMarket } from '../store/restore.ts';
import type { MarketStore } from '../store/store.ts';
import { MarketView } from '../views/market-view.ts';

const MINUTE = 60_000;

export async function settle(store: MarketStore, known: readonly InstrumentSpec[]): Promise<void> {
  const barsUntil = await store.number('bars_until');
  if (barsUntil === undefined) return;
  const instruments = await withUnknown(store, known, barsUntil - LATE_WINDOW_MS);
  const engine = new Engine(instruments);
  const recorder = new Recorder({ store, instruments, log: silentLog, barsUntil });
  const restored = await restoreMarket({ store, instruments, engine, view: new MarketView(instruments), recorder });
  const out: EngineEvent[] = [];
  const until = restored?.until ?? barsUntil - 1;
  const time = asEpochMs(Math.max(barsUntil, Math.ceil((until + 1) / MINUTE) * MINUTE));
  engine.apply({ kind: 'clock', time }, out);
  recorder.read({ firstSeq: 0, source: '', events: out });
  await recorder.flush();
  if (recorder.failure) throw recorder.failure;
  await store.setNumber('tape_from', time);
}

/** The service may have run with instruments that this command was not told of; their bars matter all the same. */
async function withUnknown(
  store: MarketStore,
  known: readonly InstrumentSpec[],
  from: number,
): Promise<readonly InstrumentSpec[]> {
  const symbols = new Set((await store.tape(from)).map(({ symbol }) => symbol));
  for (const { symbol } of known) symbols.delete(symbol);
  // Bars need no more of an instrument than its symbol.
  return [...known, ...[...symbols].map((symbol) => ({ ...CATALOGUE[0]!, symbol }))];
}
