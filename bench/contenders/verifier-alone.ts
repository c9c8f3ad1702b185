// The verifier alone on the quotes of one instrument, with more and more active signals: once with all of them out of reach,
// and once with the same few near the market at every size, so that exactly the same ones close at exactly the same ticks.
import { CATALOGUE, type TickEvent, type Verdict, Verifier } from '@tickwire/engine';
import { BTCUSD } from './one-market.ts';
import { Crowd, NEAR, OUT_OF_REACH } from './signal-crowd.ts';

export const SIZES = [100, 1_000, 10_000, 100_000] as const;
export const WORKS = ['idle', 'closing'] as const;
export type VerifierWork = (typeof WORKS)[number];
export type Size = (typeof SIZES)[number];

export interface VerifierRun {
  readonly cpuSeconds: number;
  readonly closings: number;
}

/** Near the market, at every size. */
const NEAR_ONES = 100;
/** The quotes are read so many times over: once would be over before the noise of the machine evens out. */
export const PASSES = 4;

/** CPU time of reading the quotes and adding the signals; making and accepting these is outside. */
export function judge(batches: readonly TickEvent[][], work: VerifierWork, size: Size): VerifierRun {
  const verifier = new Verifier(CATALOGUE);
  const { time, bid, ask } = batches[0]![0]!;
  verifier.seed(BTCUSD.symbol, { kind: 'quote', seq: 0, time, bid, ask, source: 'sim' });
  const near = work === 'closing' ? NEAR_ONES : 0;
  const crowd = new Crowd({ verifier, instruments: [BTCUSD], mark: near, reach: NEAR, seed: 1 });
  const far = new Crowd({ verifier, instruments: [BTCUSD], mark: size - near, reach: OUT_OF_REACH, seed: 2 });
  for (const order of [...crowd.orders(), ...far.orders()]) verifier.add(order);
  Bun.gc(true);
  let [micros, seq] = [0, 1];
  for (const events of Array.from({ length: PASSES }, () => batches).flat()) {
    const verdicts: Verdict[] = [];
    const before = process.cpuUsage();
    verifier.read({ firstSeq: seq, events, source: 'sim' }, verdicts);
    micros += since(before);
    seq += events.length;
    crowd.count(verdicts);
    if (verdicts.length === 0) continue;
    const orders = crowd.orders();
    const after = process.cpuUsage();
    for (const order of orders) verifier.add(order);
    micros += since(after);
  }
  if (verifier.active !== size) throw new Error(`${verifier.active} signals are active, not ${size}`);
  return { cpuSeconds: micros / 1e6, closings: crowd.closings };
}

function since(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
