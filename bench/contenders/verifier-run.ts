// Measures the verifier alone, the sizes in turn, in a process of its own that can be held on one core.
import type { QuoteEvent, TickEvent } from '@tickwire/engine';
import { BTCUSD, hoursOf, ticksOf } from './one-market.ts';
import { judge, SIZES, type Size, type VerifierRun, type VerifierWork, WORKS } from './verifier-alone.ts';

export interface VerifierResult {
  /** Different ones. */
  readonly recorded: number;
  readonly hours: number;
  /** Read in a stretch. */
  readonly quotes: number;
  readonly rounds: Readonly<Record<VerifierWork, Readonly<Record<Size, VerifierRun[]>>>>;
}

/** Few enough to stay in the processor's cache: a long recording measures the memory it comes from. */
const RECORDED = 10_000;
/** One in so many is kept, so that they cover half an hour, in which something closes. */
const THINNED = 8;
/** Quotes between two looks at the clock, which takes about a microsecond. */
const BATCH = 500;

const [wanted, count] = [Number(process.argv[2]), Number(process.argv[3])];
// Quotes and trades are two to one.
const events = ticksOf(BTCUSD, RECORDED * THINNED * 1.5);
const forth = events
  .filter((event): event is QuoteEvent => event.kind === 'quote')
  .filter((_, index) => index % THINNED === 0)
  .map((quote): TickEvent => ({ ...quote, kind: 'tick', volume: 0 }));
// And back, so that the price does not jump where they are read again: signals go by order, not by clocks.
const quotes = [...forth, ...forth.toReversed()];
const batches: TickEvent[][] = [];
for (let at = 0; at < quotes.length; at += BATCH) batches.push(quotes.slice(at, at + BATCH));
const passes = Math.ceil(wanted / quotes.length);
const none = (): Record<Size, VerifierRun[]> => ({ 100: [], 1000: [], 10000: [], 100000: [] });
const rounds: Record<VerifierWork, Record<Size, VerifierRun[]>> = { idle: none(), closing: none() };
// The first round is for the compiler and is thrown away.
for (let round = 0; round <= count; round++) {
  // Up and down in turn, so that no size always comes behind the same other.
  for (const size of round % 2 === 0 ? SIZES : SIZES.toReversed()) {
    for (const work of WORKS) {
      const run = judge(batches, passes, work, size);
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
  hours: hoursOf(events),
  quotes: quotes.length * passes,
  rounds,
};
console.log(JSON.stringify(result));
