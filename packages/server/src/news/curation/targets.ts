// By which names a text speaks of an instrument, for a model that is asked whom a headline is good for: what is good for
// `up` raises the instrument, what is good for `down`, the side it is quoted in, lowers it.
import { ASSET_NAMES, SINGLE_NAMES } from './assets.ts';
import { sidesOf } from './sides.ts';

export interface Targets {
  readonly up: readonly string[];
  readonly down: readonly string[];
}

/** `name`: the catalogue's name of it, which is all that is known of an operator's own instrument. */
export function targetsOf(symbol: string, name?: string): Targets {
  const code = symbol.toUpperCase();
  const single = Object.hasOwn(SINGLE_NAMES, code) ? SINGLE_NAMES[code] : undefined;
  if (single) return { up: unique([...single, ...(name ? [name] : []), code]), down: [] };
  const sides = sidesOf(code);
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
  return known ? [...known.names, ...(known.guarded ?? [])].map((name) => name.toLowerCase()) : [];
};

/** Each once, whatever its case: the model's matching does not look at it. */
const unique = (names: readonly string[]): string[] => [
  ...new Map(names.map((name) => [name.toLowerCase(), name])).values(),
];
