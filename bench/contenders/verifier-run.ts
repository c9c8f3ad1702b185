// Measures the verifier alone, with each number of signals in turn, in a separate process that can be pinned to one core.
import type { QuoteEvent, TickEvent } from '@tickwire/engine';
import { BTCUSD, durationHours, simulatedTicks } from './market-ticks.ts';
import { runVerifier, SIZES, type Size, type VerifierRun, WORKLOADS, type Workload } from './verifier-workload.ts';

export interface VerifierResult {
  /** Number of distinct quotes. */
  readonly recorded: number;
  readonly hours: number;
  /** Quotes read per segment. */
  readonly quotes: number;
  readonly rounds: Readonly<Record<Workload, Readonly<Record<Size, VerifierRun[]>>>>;
}

/** Small enough for the processor cache; a long recording would measure memory bandwidth. */
const RECORDED = 10_000;
/** Keep one quote in this many, so that they cover half an hour and some signals close. */
const THINNED = 8;
/** Quotes between two readings of the clock, which takes about a microsecond. */
const BATCH = 500;

const [wanted, count] = [Number(process.argv[2]), Number(process.argv[3])];
// There are two quotes per trade.
const events = simulatedTicks(BTCUSD, RECORDED * THINNED * 1.5);
const forth = events
  .filter((event): event is QuoteEvent => event.kind === 'quote')
  .filter((_, index) => index % THINNED === 0)
  .map((quote): TickEvent => ({ ...quote, kind: 'tick', volume: 0 }));
// Append the quotes in reverse, so that the price does not jump when they repeat. Their times are set when they are read.
const quotes = [...forth, ...forth.toReversed().map((quote) => ({ ...quote }))];
const batches: TickEvent[][] = [];
for (let at = 0; at < quotes.length; at += BATCH) batches.push(quotes.slice(at, at + BATCH));
const passes = Math.ceil(wanted / quotes.length);
const none = (): Record<Size, VerifierRun[]> => ({ 100: [], 1000: [], 10000: [], 100000: [] });
const rounds: Record<Workload, Record<Size, VerifierRun[]>> = { idle: none(), closing: none() };
// The first round warms up the JIT compiler and is discarded.
for (let round = 0; round <= count; round++) {
  // Alternate the direction, so that no size always follows the same other one.
  for (const size of round % 2 === 0 ? SIZES : SIZES.toReversed()) {
    for (const work of WORKLOADS) {
      const run = runVerifier(batches, passes, work, size);
      if (round > 0) rounds[work][size].push(run);
    }
  }
}
for (const [work, bySize] of Object.entries(rounds)) {
  const closings = new Set(Object.values(bySize).flatMap((runs) => runs.map((run) => run.closings)));
  if (closings.size > 1) throw new Error(`${work}: the sizes closed differently: ${[...closings].join(', ')}`);
}
const result: VerifierResult = {
  recorded: forth.length,
  hours: durationHours(events),
  quotes: quotes.length * passes,
  rounds,
};
console.log(JSON.stringify(result));
