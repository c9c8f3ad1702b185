// The names of an instrument's two sides, for the sentiment model: good news for a name in `up` raises the price of the
// instrument, good news for a name in `down` (the quote side of a pair) lowers it.
import { ASSET_NAMES, INSTRUMENT_NAMES, pairSides } from './asset-names.ts';

export interface Targets {
  readonly up: readonly string[];
  readonly down: readonly string[];
}

/** `name`: as in the catalogue; for an operator's own instrument it is the only name. `underlying`: of a perpetual. */
export function targetsOf(symbol: string, name?: string, underlying?: string): Targets {
  if (underlying !== undefined)
    return targetsOf(Object.hasOwn(ASSET_NAMES, underlying) ? `${underlying}USD` : underlying);
  const code = symbol.toUpperCase();
  const single = Object.hasOwn(INSTRUMENT_NAMES, code) ? INSTRUMENT_NAMES[code] : undefined;
  if (single) return { up: unique([...single, ...(name ? [name] : []), code]), down: [] };
  const sides = pairSides(code);
  const [first, second] = name?.split(' / ') ?? [];
  if (!sides || (name && !second && !Object.hasOwn(ASSET_NAMES, sides[0])))
    return { up: unique([...(name ? [name] : []), code]), down: [] };
  const [base, quote] = sides;
  return {
    up: unique([...namesOf(base), ...(first ? [first] : []), base, code, `${base}/${quote}`]),
    down: unique([...namesOf(quote), ...(second ? [second] : []), quote]),
  };
}

const namesOf = (code: string): readonly string[] => {
  const known = Object.hasOwn(ASSET_NAMES, code) ? ASSET_NAMES[code] : undefined;
  return known ? [...known.names, ...(known.ambiguous ?? [])].map((name) => name.toLowerCase()) : [];
};

/** Without duplicates; the model ignores case. */
const unique = (names: readonly string[]): string[] => [
  ...new Map(names.map((name) => [name.toLowerCase(), name])).values(),
];
