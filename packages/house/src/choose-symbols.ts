// Which instruments to look at: a dozen, of as many kinds as there are.
import type { Instrument } from '@tickwire/client';

export const MOST_SYMBOLS = 12;

/** One of each type in turn, in the order of the catalogue, until there are enough or none is left. */
export function chooseSymbols(instruments: readonly Pick<Instrument, 'symbol' | 'type'>[]): string[] {
  const byType = Map.groupBy(instruments, ({ type }) => type);
  const longest = Math.max(0, ...[...byType.values()].map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => [...byType.values()].flatMap((each) => each[turn]?.symbol ?? []))
    .flat()
    .slice(0, MOST_SYMBOLS);
}
