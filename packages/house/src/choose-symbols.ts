// Chooses up to twelve instruments to trade, of as many types as possible.
import type { Instrument } from '@tickwire/client';

export const MAX_SYMBOLS = 12;

/** Takes one instrument of each type in turn, in the order of the catalogue. */
export function chooseSymbols(instruments: readonly Pick<Instrument, 'symbol' | 'type'>[]): string[] {
  const byType = Map.groupBy(instruments, ({ type }) => type);
  const longest = Math.max(0, ...[...byType.values()].map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => [...byType.values()].flatMap((each) => each[turn]?.symbol ?? []))
    .flat()
    .slice(0, MAX_SYMBOLS);
}
