// The chain from intake to recorder in one process without sockets and disk, one reader of the journal more at each stage.
import { CATALOGUE, Engine } from '@tickwire/engine';
import type { SimEvent } from '../../packages/server/src/feeds/sim/market.ts';
import { Switchboard } from '../../packages/server/src/gateway/switchboard.ts';
import { Intake } from '../../packages/server/src/journal/intake.ts';
import { MemoryJournal } from '../../packages/server/src/journal/memory-journal.ts';
import { silentLog } from '../../packages/server/src/ops/log.ts';
import { Recorder } from '../../packages/server/src/store/recorder.ts';
import type { MarketStore } from '../../packages/server/src/store/store.ts';
import { MarketView } from '../../packages/server/src/views/market-view.ts';

export const STAGES = ['discard', 'engine', 'view', 'gateway', 'recorder'] as const;
export type Stage = (typeof STAGES)[number];

/** Events handed over at once. */
const BATCH = 1_000;
/** The recorder flushes five times a second: so often at the rate the bar asks for. */
const FLUSH_EVERY = 100_000;

/** Encoded blocks come here and go nowhere. */
const noDisk = {
  async writeTape() {},
  async write() {},
} as unknown as MarketStore;

export function cut(events: readonly SimEvent[]): SimEvent[][] {
  const batches: SimEvent[][] = [];
  for (let at = 0; at < events.length; at += BATCH) batches.push(events.slice(at, at + BATCH));
  return batches;
}

/** Runs all batches through a new chain; returns the seconds it took. */
export async function runStage(stage: Stage, batches: readonly SimEvent[][]): Promise<number> {
  if (stage === 'discard') return discard(batches);
  const end = batches.at(-1)!.at(-1)!.time;
  const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, silentLog);
  const engine = new Engine(CATALOGUE);
  const intake = new Intake({ instruments: CATALOGUE, engine, journal, log: silentLog, now: () => end });
  const market = new MarketView(CATALOGUE);
  const upTo = STAGES.indexOf(stage);
  if (upTo >= STAGES.indexOf('view')) journal.subscribe(market.read);
  if (upTo >= STAGES.indexOf('gateway')) {
    const lines = new Switchboard({ instruments: CATALOGUE, journal, market, now: () => end, publish: () => {} });
    journal.subscribe((batch) => lines.read(batch));
  }
  const recorder = new Recorder({ store: noDisk, instruments: CATALOGUE, log: silentLog, barsUntil: 0 });
  const records = stage === 'recorder';
  if (records) journal.subscribe(recorder.read);

  const started = performance.now();
  let second = 0;
  let unflushed = 0;
  for (const batch of batches) {
    const { time } = batch[0]!;
    if (Math.floor(time / 1000) !== second) {
      second = Math.floor(time / 1000);
      intake.clock(time);
    }
    intake.accept(batch, 'sim');
    unflushed += batch.length;
    if (records && unflushed >= FLUSH_EVERY) {
      unflushed = 0;
      await recorder.flush();
    }
  }
  if (records) await recorder.flush();
  const seconds = (performance.now() - started) / 1000;
  const sent = batches.reduce((sum, batch) => sum + batch.length, 0);
  if (intake.accepted !== sent) throw new Error(`the intake refused ${sent - intake.accepted} of ${sent} ticks`);
  return seconds;
}

/** The floor: touches every event of the same batches, and does nothing with it. */
function discard(batches: readonly SimEvent[][]): number {
  const started = performance.now();
  let sum = 0;
  for (const batch of batches) for (const event of batch) sum += event.time;
  const seconds = (performance.now() - started) / 1000;
  // Used, so that the loop cannot be left out.
  if (sum === 0) throw new Error('there were no events');
  return seconds;
}
