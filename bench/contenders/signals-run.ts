// Measures the pipeline with all signals on one instrument, in a separate process that can be pinned to one core.
import { toBatches } from './engine-pipeline.ts';
import { BTCUSD, durationHours, simulatedTicks } from './market-ticks.ts';
import { runSignalsStage, SIGNAL_STAGES, type SignalsStage, type StageResult } from './signals-pipeline.ts';

export interface SignalsResult {
  readonly ticks: number;
  readonly hours: number;
  readonly rounds: Readonly<Record<SignalsStage, StageResult[]>>;
}

const [wanted, count] = [Number(process.argv[2]), Number(process.argv[3])];
const events = simulatedTicks(BTCUSD, wanted);
const batches = toBatches(events);
const rounds: Record<SignalsStage, StageResult[]> = { engine: [], verifier: [], desk: [] };
// The first round warms up the JIT compiler and is discarded.
for (let round = 0; round <= count; round++) {
  for (const stage of SIGNAL_STAGES) {
    Bun.gc(true);
    const run = await runSignalsStage(stage, BTCUSD, batches);
    if (round > 0) rounds[stage].push(run);
  }
}
const result: SignalsResult = { ticks: events.length, hours: durationHours(events), rounds };
console.log(JSON.stringify(result));
