// What each reader subscribes to: 20 of all symbols, drawn at random. The n-th reader has the same list at every contender.
import { CATALOGUE } from '@tickwire/engine';

export const SYMBOLS: readonly string[] = CATALOGUE.map(({ symbol }) => symbol);
export const SYMBOLS_PER_READER = 20;

export function symbolsOf(reader: number): readonly string[] {
  const left = [...SYMBOLS];
  let state = reader + 1;
  return Array.from({ length: SYMBOLS_PER_READER }, () => {
    // A linear congruential generator, of which the high bits are used.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return left.splice(Math.floor((state / 2 ** 32) * left.length), 1)[0]!;
  });
}

/** Deliveries of the first ticks of a feed in which all symbols take turns. */
export function deliveriesOf(ticks: number, readers: number): number {
  const [rounds, rest] = [Math.floor(ticks / SYMBOLS.length), new Set(SYMBOLS.slice(0, ticks % SYMBOLS.length))];
  let sum = rounds * SYMBOLS_PER_READER * readers;
  for (let reader = 0; reader < readers; reader++) sum += symbolsOf(reader).filter((symbol) => rest.has(symbol)).length;
  return sum;
}
