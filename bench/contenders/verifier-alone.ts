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
  /** Of the best stretch: what else the machine does only ever adds to it. */
  readonly cpuSeconds: number;
  /** Over all stretches. */
  readonly closings: number;
}

/** Near the market, at every size. */
const NEAR_ONES = 100;
/** Stretches that a run measures one after the other. */
export const STRETCHES = 3;

/** CPU time of reading the quotes so many times and adding the signals; making and accepting these is outside. */
export function judge(batches: readonly TickEvent[][], passes: number, work: VerifierWork, size: Size): VerifierRun {
  const verifier = new Verifier(CATALOGUE);
  const { time, bid, ask } = batches[0]![0]!;
  verifier.seed(BTCUSD.symbol, { kind: 'quote', seq: 0, time, bid, ask, source: 'sim' });
  const near = work === 'closing' ? NEAR_ONES : 0;
  const crowd = new Crowd({ verifier, instruments: [BTCUSD], mark: near, reach: NEAR, seed: 1 });
  const far = new Crowd({ verifier, instruments: [BTCUSD], mark: size - near, reach: OUT_OF_REACH, seed: 2 });
  for (const order of [...crowd.orders(), ...far.orders()]) verifier.add(order);
  Bun.gc(true);
  let seq = 1;
  const read = (events: readonly TickEvent[]): number => {
    const verdicts: Verdict[] = [];
    const before = process.cpuUsage();
    verifier.read({ firstSeq: seq, events, source: 'sim' }, verdicts);
    const micros = since(before);
    seq += events.length;
    crowd.count(verdicts);
    if (crowd.missing === 0) return micros;
    const orders = crowd.orders();
    const after = process.cpuUsage();
    for (const order of orders) verifier.add(order);
    return micros + since(after);
  };
  const stretches = Array.from({ length: STRETCHES }, () => {
    let micros = 0;
    for (let pass = 0; pass < passes; pass++) for (const events of batches) micros += read(events);
    return micros / 1e6;
  });
  if (verifier.active !== size) throw new Error(`${verifier.active} signals are active, not ${size}`);
  return { cpuSeconds: Math.min(...stretches), closings: crowd.closings };
}

function since(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
