// Measures the stages of the engine pipeline in turn, in a separate process that can be pinned to one core.
import { asEpochMs, CATALOGUE } from '@tickwire/engine';
import { SimMarket } from '../../packages/server/src/market/feeds/sim/sim-market.ts';
import { type EngineStage, runStage, STAGES, toBatches } from './engine-pipeline.ts';

export interface EngineResult {
  readonly ticks: number;
  readonly minutes: number;
  /** Signals closed per round, in stages with signals. */
  readonly closings: number;
  /** CPU seconds per round. */
  readonly seconds: Readonly<Record<EngineStage, number[]>>;
}

/** Quotes per second. A million ticks then span a few minutes, so that bars close. */
const RATE = 5_000;
/** Start of the run: it crosses midnight, so that every timeframe closes once. */
const MIDNIGHT = Date.UTC(2026, 0, 15);
/** Only a few events reach a signal or an alert: it takes some rounds until that code is compiled. They are discarded. */
const WARM_UP_ROUNDS = 4;

const [wanted, rounds] = [Number(process.argv[2]), Number(process.argv[3])];
const market = new SimMarket(CATALOGUE, { seed: 1, rate: RATE, hours: 'always' });
// There are two quotes per trade.
const half = (wanted / (RATE * 1.5) / 2) * 1000;
const events = market.collect(asEpochMs(MIDNIGHT - half), asEpochMs(MIDNIGHT + half));
const batches = toBatches(events);
const seconds = Object.fromEntries(STAGES.map((stage) => [stage, [] as number[]])) as Record<EngineStage, number[]>;
let closings = 0;
for (let round = 1 - WARM_UP_ROUNDS; round <= rounds; round++) {
  for (const stage of STAGES) {
    Bun.gc(true);
    const run = await runStage(stage, batches);
    closings = Math.max(closings, run.closings);
    if (round > 0) seconds[stage].push(run.cpuSeconds);
  }
}
const result: EngineResult = {
  ticks: events.length,
  minutes: (events.at(-1)!.time - events[0]!.time) / 60_000,
  closings,
  seconds,
};
console.log(JSON.stringify(result));
