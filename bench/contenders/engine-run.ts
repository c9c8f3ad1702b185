// Measures the stages of the engine's chain, in turn, in a process of its own that can be held on one core.
import { asEpochMs, CATALOGUE } from '@tickwire/engine';
import { SimMarket } from '../../packages/server/src/feeds/sim/market.ts';
import { cut, runStage, STAGES, type Stage } from './engine-stages.ts';

export interface EngineResult {
  readonly ticks: number;
  readonly minutes: number;
  /** Signals that closed in a round of the stages that have them. */
  readonly closings: number;
  /** Seconds per round. */
  readonly seconds: Readonly<Record<Stage, number[]>>;
}

/** Quotes per second: so dense that a million ticks still cross a few minutes, where bars close. */
const RATE = 5_000;
/** The run crosses midnight, so that every timeframe closes once. */
const MIDNIGHT = Date.UTC(2026, 0, 15);

const [wanted, rounds] = [Number(process.argv[2]), Number(process.argv[3])];
const market = new SimMarket(CATALOGUE, { seed: 1, rate: RATE, hours: 'always' });
// Quotes and trades are two to one.
const half = (wanted / (RATE * 1.5) / 2) * 1000;
const events = market.collect(asEpochMs(MIDNIGHT - half), asEpochMs(MIDNIGHT + half));
const batches = cut(events);
const seconds: Record<Stage, number[]> = { discard: [], engine: [], signals: [], view: [], gateway: [], recorder: [] };
let closings = 0;
// The first round is for the compiler and is thrown away.
for (let round = 0; round <= rounds; round++) {
  for (const stage of STAGES) {
    Bun.gc(true);
    const run = await runStage(stage, batches);
    closings = Math.max(closings, run.closings);
    if (round > 0) seconds[stage].push(run.seconds);
  }
}
const result: EngineResult = {
  ticks: events.length,
  minutes: (events.at(-1)!.time - events[0]!.time) / 60_000,
  closings,
  seconds,
};
console.log(JSON.stringify(result));
