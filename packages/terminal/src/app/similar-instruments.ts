// Instruments that the user may have meant by a symbol that does not exist.
import type { Instrument } from '@tickwire/client';

type Named = Pick<Instrument, 'symbol' | 'name'>;

/** Pairs of neighbouring letters: EURUSD → EU, UR, RU, US, SD. */
const pairsOf = (text: string): readonly string[] =>
  Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));

/** Share of the pairs that two texts have in common, from 0 to 1 (Sørensen–Dice). */
function similarity(one: string, other: string): number {
  const [pairs, rest] = [pairsOf(one), [...pairsOf(other)]];
  const size = pairs.length + rest.length;
  if (size === 0) return 0;
  let common = 0;
  for (const pair of pairs) {
    const at = rest.indexOf(pair);
    if (at < 0) continue;
    rest.splice(at, 1);
    common++;
  }
  return (2 * common) / size;
}

const lettersOf = (text: string): string => text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The most similar first, by symbol or name; the first ones of the list if none is similar. */
export function similarInstruments<T extends Named>(code: string, instruments: readonly T[], most: number): T[] {
  const typed = lettersOf(code);
  const scored = instruments
    .map((instrument) => {
      const { symbol, name } = instrument;
      return { instrument, score: Math.max(similarity(typed, lettersOf(symbol)), similarity(typed, lettersOf(name))) };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  return (scored.length > 0 ? scored.map(({ instrument }) => instrument) : [...instruments]).slice(0, most);
}
