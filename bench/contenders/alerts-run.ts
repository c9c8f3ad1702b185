// Measures the engine with its signals, with an empty alert book behind it and with alerts in it, in turn, and then what a quote
// costs with few and with many signals; in a separate process that can be pinned to one core. The market is simulated block by
// block, outside the time that is measured: with all ticks in memory, most of the time would go to collecting the benchmark's own
// garbage.
import { asEpochMs, CATALOGUE, type PriceEvent } from '@tickwire/engine';
import { SimMarket } from '../../packages/server/src/market/feeds/sim/sim-market.ts';
import { openAlerts } from './alert-crowd.ts';
import {
  feedBatches,
  firstQuotes,
  openVerifier,
  publishSignals,
  readAlerts,
  startEngine,
  toBatches,
} from './engine-pipeline.ts';
import { judgedQuotes, judgingCost, SIGNAL_COUNTS, type SignalCount } from './judging-cost.ts';

export const ALERT_RUNS = {
  empty: { count: 0, mostlyFar: false },
  near: { count: 10_000, mostlyFar: false },
  few: { count: 100, mostlyFar: true },
  many: { count: 100_000, mostlyFar: true },
} as const;
export type AlertRun = keyof typeof ALERT_RUNS;

interface AlertCount {
  readonly count: number;
  /** All but a hundred are out of reach. */
  readonly mostlyFar: boolean;
}

export interface AlertsResult {
  readonly ticks: number;
  /** CPU seconds per round, and firings of a round. */
  readonly seconds: Readonly<Record<AlertRun, number[]>>;
  readonly fired: Readonly<Record<AlertRun, number>>;
  /** Nanoseconds per quote and round, by the number of signals. */
  readonly judging: Readonly<Record<SignalCount, number[]>>;
}

const RATE = 5_000;
const START = Date.UTC(2026, 0, 15, 10);
/** Simulated time of a block. */
const BLOCK_MS = 4_000;
const WARM_UP_ROUNDS = 4;

interface RunResult {
  readonly ticks: number;
  readonly seconds: number;
  readonly fired: number;
}

/** One run of `wanted` ticks with `count` alerts. */
export async function runWith({ count, mostlyFar }: AlertCount, wanted: number): Promise<RunResult> {
  const market = new SimMarket(CATALOGUE, { seed: 1, rate: RATE, hours: 'always' });
  // There are two quotes per trade.
  const end = START + (wanted / (RATE * 1.5)) * 1_000;
  const nextBlock = (from: number): PriceEvent[][] =>
    toBatches(market.collect(asEpochMs(from), asEpochMs(Math.min(from + BLOCK_MS, end))));
  let block = nextBlock(START);
  const pipeline = await startEngine(end);
  pipeline.journal.subscribe(publishSignals(openVerifier(block)).read);
  const crowd = openAlerts(firstQuotes(block), count, mostlyFar);
  pipeline.journal.subscribe(readAlerts(crowd.book));
  Bun.gc(true);
  let [ticks, seconds] = [0, 0];
  for (let from = START; from < end; from += BLOCK_MS) {
    if (from > START) block = nextBlock(from);
    seconds += (await feedBatches(pipeline, block)).cpuSeconds;
    for (const { length } of block) ticks += length;
  }
  return { ticks, seconds, fired: crowd.fired() };
}

if (import.meta.main) {
  const [wanted, rounds] = [Number(process.argv[2]), Number(process.argv[3])];
  const names = Object.keys(ALERT_RUNS) as AlertRun[];
  const seconds: Record<AlertRun, number[]> = { empty: [], near: [], few: [], many: [] };
  const fired: Record<AlertRun, number> = { empty: 0, near: 0, few: 0, many: 0 };
  let ticks = 0;
  // Only a few events reach an alert: it takes some rounds until that code is compiled. They are discarded.
  for (let round = 1 - WARM_UP_ROUNDS; round <= rounds; round++)
    for (const name of names) {
      const run = await runWith(ALERT_RUNS[name], wanted);
      ticks = run.ticks;
      fired[name] = run.fired;
      if (round > 0) seconds[name].push(run.seconds);
    }
  const judging: Record<SignalCount, number[]> = { 100: [], 100000: [] };
  const quotes = judgedQuotes();
  const passes = Math.ceil(wanted / quotes.flat().length);
  // The first round warms up the JIT compiler and is discarded.
  for (let round = 0; round <= rounds; round++)
    for (const size of SIGNAL_COUNTS) {
      const cost = judgingCost(quotes, passes, size);
      if (round > 0) judging[size].push(cost);
    }
  console.log(JSON.stringify({ ticks, seconds, fired, judging } satisfies AlertsResult));
}
