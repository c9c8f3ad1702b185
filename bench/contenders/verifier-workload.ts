// The verifier alone, on the quotes of one instrument, with an increasing number of active signals: once with all of them out of
// reach, and once with the same few near the market at every size, so that the same signals close at the same ticks.
import { CATALOGUE, type TickEvent, type Verdict, Verifier } from '@tickwire/engine';
import { BTCUSD } from './market-ticks.ts';
import { NEAR, OUT_OF_REACH, SignalPool } from './signal-pool.ts';

export const SIZES = [100, 1_000, 10_000, 100_000] as const;
export const WORKLOADS = ['idle', 'closing'] as const;
export type Workload = (typeof WORKLOADS)[number];
export type Size = (typeof SIZES)[number];

export interface VerifierRun {
  /** CPU time of the fastest segment, because other load on the machine only adds to it. */
  readonly cpuSeconds: number;
  /** Over all segments. */
  readonly closings: number;
}

/** Signals near the market, at every size. */
const NEAR_ONES = 100;
/** Segments that a run measures one after the other. */
export const SEGMENTS = 3;

/** CPU time of reading the quotes `passes` times and adding signals, without the time to create and accept them. */
export function runVerifier(batches: readonly TickEvent[][], passes: number, work: Workload, size: Size): VerifierRun {
  const verifier = new Verifier(CATALOGUE);
  const { time, bid, ask } = batches[0]![0]!;
  verifier.seedQuote(BTCUSD.symbol, { kind: 'quote', seq: 0, time, bid, ask, source: 'sim' });
  const near = work === 'closing' ? NEAR_ONES : 0;
  const pool = new SignalPool({ verifier, instruments: [BTCUSD], mark: near, reach: NEAR, seed: 1 });
  const far = new SignalPool({ verifier, instruments: [BTCUSD], mark: size - near, reach: OUT_OF_REACH, seed: 2 });
  for (const order of [...pool.orders(), ...far.orders()]) verifier.add(order);
  Bun.gc(true);
  let seq = 1;
  const read = (events: readonly TickEvent[]): number => {
    // Only later quotes judge, so time goes on although the prices repeat. So slowly that nothing expires.
    for (const [index, event] of events.entries()) Object.assign(event, { time: time + seq + index });
    const verdicts: Verdict[] = [];
    const before = process.cpuUsage();
    verifier.read({ firstSeq: seq, events, source: 'sim' }, verdicts);
    const micros = since(before);
    seq += events.length;
    pool.count(verdicts);
    if (pool.missing === 0) return micros;
    const orders = pool.orders();
    const after = process.cpuUsage();
    for (const order of orders) verifier.add(order);
    return micros + since(after);
  };
  const segments = Array.from({ length: SEGMENTS }, () => {
    let micros = 0;
    for (let pass = 0; pass < passes; pass++) for (const events of batches) micros += read(events);
    return micros / 1e6;
  });
  if (verifier.active !== size) throw new Error(`${verifier.active} signals are active, not ${size}`);
  return { cpuSeconds: Math.min(...segments), closings: pool.closings };
}

function since(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
