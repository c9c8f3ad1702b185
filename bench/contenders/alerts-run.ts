// Measures the engine alone and with alerts behind it, in turn, in a separate process that can be pinned to one core.
import { asEpochMs, CATALOGUE, type QuoteEvent } from '@tickwire/engine';
import type { Batch } from '../../packages/server/src/journal/journal.ts';
import { type SimEvent, SimMarket } from '../../packages/server/src/market/feeds/sim/sim-market.ts';
import { openAlerts } from './alert-crowd.ts';
import { feedBatches, startEngine, toBatches } from './engine-pipeline.ts';

export const ALERT_RUNS = {
  alone: { count: null, mostlyFar: false },
  empty: { count: 0, mostlyFar: false },
  near: { count: 10_000, mostlyFar: false },
  few: { count: 100, mostlyFar: true },
  many: { count: 100_000, mostlyFar: true },
} as const;
export type AlertRun = keyof typeof ALERT_RUNS;

export interface AlertsResult {
  readonly ticks: number;
  /** Seconds per round, and firings of a round. */
  readonly seconds: Readonly<Record<AlertRun, number[]>>;
  readonly fired: Readonly<Record<AlertRun, number>>;
}

const RATE = 5_000;
const START = Date.UTC(2026, 0, 15, 10);

async function runWith(run: AlertRun, batches: readonly SimEvent[][]): Promise<{ seconds: number; fired: number }> {
  const pipeline = await startEngine(batches);
  const first = new Map<string, QuoteEvent>();
  for (const batch of batches)
    for (const event of batch) if (event.kind === 'quote' && !first.has(event.symbol)) first.set(event.symbol, event);
  const { count, mostlyFar } = ALERT_RUNS[run];
  const crowd = count === null ? null : openAlerts([...first.values()], count, mostlyFar);
  if (crowd)
    pipeline.journal.subscribe(({ firstSeq, events }: Batch) => {
      for (let at = 0; at < events.length; at++) crowd.book.read(firstSeq + at, events[at] as never);
    });
  Bun.gc(true);
  const { seconds } = await feedBatches(pipeline, batches);
  return { seconds, fired: crowd?.fired() ?? 0 };
}

if (import.meta.main) {
  const [wanted, rounds] = [Number(process.argv[2]), Number(process.argv[3])];
  const market = new SimMarket(CATALOGUE, { seed: 1, rate: RATE, hours: 'always' });
  // There are two quotes per trade.
  const events = market.collect(asEpochMs(START), asEpochMs(START + (wanted / (RATE * 1.5)) * 1_000));
  const batches = toBatches(events);
  const names = Object.keys(ALERT_RUNS) as AlertRun[];
  const seconds: Record<AlertRun, number[]> = { alone: [], empty: [], near: [], few: [], many: [] };
  const fired: Record<AlertRun, number> = { alone: 0, empty: 0, near: 0, few: 0, many: 0 };
  // The first round warms up the JIT compiler and is discarded.
  for (let round = 0; round <= rounds; round++)
    for (const name of names) {
      const run = await runWith(name, batches);
      fired[name] = run.fired;
      if (round > 0) seconds[name].push(run.seconds);
    }
  console.log(JSON.stringify({ ticks: events.length, seconds, fired } satisfies AlertsResult));
}
