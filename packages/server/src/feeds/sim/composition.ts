// What an instrument's price is made of: a base price and weighted factors. A pair of known assets, or a known index or
// commodity, comes from the tables. Anything else, as a user's own catalogue may hold, gets a base price and a factor of
// its own from its type and a hash of its symbol: always the same ones.
import type { InstrumentType } from '@tickwire/contract';
import type { InstrumentSpec } from '@tickwire/engine';
import { ASSETS, type Asset, FACTORS, type Factor, SINGLES } from './factors.ts';
import { keyedByName, uniform } from './noise.ts';

export interface Composition {
  readonly base: number;
  /** By factor name; none is 0. */
  readonly weights: ReadonlyMap<string, number>;
  /** The factor of this instrument alone, where the tables do not know it. */
  readonly own: Factor | null;
}

interface Stranger {
  /** Base prices lie between these, evenly on a logarithmic scale. */
  readonly lowest: number;
  readonly highest: number;
  readonly own: Factor;
  readonly weights: Readonly<Record<string, number>>;
}

const STRANGERS: Readonly<Record<InstrumentType, Stranger>> = {
  forex: { lowest: 0.6, highest: 2, own: { dailyPercent: 0.5, rhythm: 'europe' }, weights: {} },
  metal: { lowest: 20, highest: 2500, own: { dailyPercent: 1, rhythm: 'europe' }, weights: { XAU: 0.5 } },
  crypto: { lowest: 0.05, highest: 300, own: { dailyPercent: 2.8, rhythm: 'crypto' }, weights: { COINS: 1.1 } },
  index: { lowest: 1500, highest: 30_000, own: { dailyPercent: 0.6, rhythm: 'europe' }, weights: { SHARES: 0.8 } },
  energy: { lowest: 2, highest: 90, own: { dailyPercent: 1.5, rhythm: 'america' }, weights: { OIL: 0.6 } },
  equity: { lowest: 30, highest: 500, own: { dailyPercent: 1.3, rhythm: 'america' }, weights: { SHARES: 1.1 } },
};
/** A price of fewer ticks than this would stand still. */
const FEWEST_TICKS = 5000;

export function compositionOf({ symbol, type, digits }: InstrumentSpec): Composition {
  const single = Object.hasOwn(SINGLES, symbol) ? SINGLES[symbol] : undefined;
  if (single) return known(single.base, single.weights);
  const pair = pairOf(symbol);
  if (pair) return ratio(pair[0], pair[1]);
  const { lowest, highest, own, weights } = STRANGERS[type];
  const base = lowest * (highest / lowest) ** uniform(keyedByName(0, symbol));
  return { ...known(Math.max(base, FEWEST_TICKS / 10 ** digits), weights), own };
}

const known = (base: number, weights: Readonly<Record<string, number>>): Composition => ({
  base,
  weights: new Map(Object.entries(weights)),
  own: null,
});

function ratio(over: Asset, under: Asset): Composition {
  const weights = new Map(Object.entries(over.weights));
  for (const [name, weight] of Object.entries(under.weights)) weights.set(name, (weights.get(name) ?? 0) - weight);
  for (const [name, weight] of weights) if (Math.abs(weight) < 1e-9) weights.delete(name);
  return { base: over.base / under.base, weights, own: null };
}

function pairOf(symbol: string): [Asset, Asset] | null {
  for (let cut = 3; cut <= symbol.length - 3; cut++) {
    const [over, under] = [symbol.slice(0, cut), symbol.slice(cut)];
    if (over !== under && Object.hasOwn(ASSETS, over) && Object.hasOwn(ASSETS, under))
      return [ASSETS[over]!, ASSETS[under]!];
  }
  return null;
}

/** A factor by name: one of the table, or an instrument's own. */
export const factorOf = (name: string, own: Factor | null): Factor => {
  const factor = FACTORS.get(name) ?? own;
  if (!factor) throw new Error(`no factor is called ${name}`);
  return factor;
};
