// A service that was killed may have left its last minutes on the tape but not in the bars. Its next start would rebuild them
// from the tape. An import does this first, so that every stored bar is final and no start has to read imported ticks.
import {
  asEpochMs,
  CATALOGUE,
  Engine,
  type EngineEvent,
  type InstrumentSpec,
  LATE_WINDOW_MS,
  MINUTE_MS,
} from '@tickwire/engine';
import { MarketView } from '../../market/market-view.ts';
import { Recorder } from '../../market/recorder.ts';
import { restoreMarket } from '../../market/restore.ts';
import { silentLog } from '../../ops/log.ts';
import type { MarketStore } from '../../store/store.ts';

export async function recoverBars(store: MarketStore, known: readonly InstrumentSpec[]): Promise<void> {
  const barsUntil = await store.number('bars_until');
  if (barsUntil === undefined) return;
  // Minutes that are imported into are written again.
  await store.gatherTape(0);
  const instruments = await withRecordedSymbols(store, known, barsUntil - LATE_WINDOW_MS);
  const engine = new Engine(instruments);
  const recorder = new Recorder({ store, instruments, log: silentLog, barsUntil });
  const restored = await restoreMarket({ store, instruments, engine, view: new MarketView(instruments), recorder });
  const out: EngineEvent[] = [];
  const until = restored?.until ?? barsUntil - 1;
  const time = asEpochMs(Math.max(barsUntil, Math.ceil((until + 1) / MINUTE_MS) * MINUTE_MS));
  engine.apply({ kind: 'clock', time }, out);
  recorder.read({ firstSeq: 0, source: '', events: out });
  await recorder.drain();
  if (recorder.failure) throw recorder.failure;
  await store.setNumber('tape_from', time);
}

/** The service may have run with instruments that this command does not know; their bars are recovered too. */
async function withRecordedSymbols(
  store: MarketStore,
  known: readonly InstrumentSpec[],
  from: number,
): Promise<readonly InstrumentSpec[]> {
  const symbols = new Set((await store.tape(from)).map(({ symbol }) => symbol));
  for (const { symbol } of known) symbols.delete(symbol);
  // Bars need only the symbol of an instrument.
  return [...known, ...[...symbols].map((symbol) => ({ ...CATALOGUE[0]!, symbol }))];
}
