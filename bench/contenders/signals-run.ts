// Measures the chain with all signals on one instrument, in turn, in a process of its own that can be held on one core.
import { cut } from './engine-stages.ts';
import { BTCUSD, hoursOf, ticksOf } from './one-market.ts';
import { CHAINS, type ChainRun, type ChainStage, runChain } from './signals-chain.ts';

export interface SignalsResult {
  readonly ticks: number;
  readonly hours: number;
  readonly rounds: Readonly<Record<ChainStage, ChainRun[]>>;
}

const [wanted, count] = [Number(process.argv[2]), Number(process.argv[3])];
const events = ticksOf(BTCUSD, wanted);
const batches = cut(events);
const rounds: Record<ChainStage, ChainRun[]> = { engine: [], verifier: [], desk: [] };
// The first round is for the compiler and is thrown away.
for (let round = 0; round <= count; round++) {
  for (const stage of CHAINS) {
    Bun.gc(true);
    const run = await runChain(stage, BTCUSD, batches);
    if (round > 0) rounds[stage].push(run);
  }
}
const result: SignalsResult = { ticks: events.length, hours: hoursOf(events), rounds };
console.log(JSON.stringify(result));
