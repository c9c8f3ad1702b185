// CPU time of a quote with few and with many active signals on its instrument. The same hundred signals lie near the market in both
// cases, so that the same ones close at the same quotes; the others are out of reach.
import { asEpochMs, CATALOGUE, type TickEvent, Verifier } from '@tickwire/engine';
import { SimMarket } from '../../packages/server/src/market/feeds/sim/sim-market.ts';
import { NEAR, OUT_OF_REACH, SignalPool } from './signal-pool.ts';

export const SIGNAL_COUNTS = [100, 100_000] as const;
export type SignalCount = (typeof SIGNAL_COUNTS)[number];

const NEAR_ONES = 100;
const BTCUSD = CATALOGUE.find(({ symbol }) => symbol === 'BTCUSD')!;
/** Few enough for the processor cache, over half an hour, so that some signals close. */
const MINUTES = 30;
const RATE = 6;
const BATCH = 500;
/** The fastest of these counts, because other load on the machine only adds to it. */
const SEGMENTS = 3;

/** Quotes forwards and backwards, so that the price does not jump when they repeat. */
export function judgedQuotes(): TickEvent[][] {
  const from = Date.UTC(2026, 0, 15);
  const market = new SimMarket([BTCUSD], { seed: 1, rate: RATE, hours: 'always' });
  const events = market.collect(asEpochMs(from), asEpochMs(from + MINUTES * 60_000));
  const forth = events.flatMap((event): TickEvent[] =>
    event.kind === 'quote' ? [{ ...event, kind: 'tick', volume: 0 }] : [],
  );
  const quotes = [...forth, ...forth.toReversed().map((quote) => ({ ...quote }))];
  return Array.from({ length: Math.ceil(quotes.length / BATCH) }, (_, n) => quotes.slice(n * BATCH, (n + 1) * BATCH));
}

/** Nanoseconds of CPU time per quote. */
export function judgingCost(batches: readonly TickEvent[][], passes: number, size: SignalCount): number {
  const verifier = new Verifier(CATALOGUE);
  const { time, bid, ask } = batches[0]![0]!;
  verifier.seedQuote(BTCUSD.symbol, { kind: 'quote', seq: 0, time, bid, ask, source: 'sim' });
  const common = { verifier, instruments: [BTCUSD] };
  const pool = new SignalPool({ ...common, mark: NEAR_ONES, reach: NEAR, seed: 1 });
  const far = new SignalPool({ ...common, mark: size - NEAR_ONES, reach: OUT_OF_REACH, seed: 2 });
  for (const order of [...pool.orders(), ...far.orders()]) verifier.add(order);
  Bun.gc(true);
  let seq = 1;
  let micros = 0;
  const read = (events: readonly TickEvent[]): void => {
    // Only later quotes judge, so time goes on although the prices repeat. So slowly that nothing expires.
    for (const [index, event] of events.entries()) Object.assign(event, { time: time + seq + index });
    const before = process.cpuUsage();
    pool.read({ firstSeq: seq, events, source: 'sim' });
    const { user, system } = process.cpuUsage(before);
    micros += user + system;
    seq += events.length;
  };
  const segments = Array.from({ length: SEGMENTS }, () => {
    micros = 0;
    const first = seq;
    for (let pass = 0; pass < passes; pass++) for (const events of batches) read(events);
    return (micros * 1_000) / (seq - first);
  });
  return Math.min(...segments);
}
