// The composition of an instrument's price: a base price and weighted factors. Pairs of known assets, and known indices and
// commodities, come from the tables. Any other instrument gets a base price and a separate factor, from its type and a hash
// of its symbol, so they are always the same.
import type { InstrumentType } from '@tickwire/contract';
import type { InstrumentSpec } from '@tickwire/engine';
import { ASSETS, type Asset, FACTORS, type Factor, STANDALONE_ASSETS } from './factors.ts';
import { PUBLIC_NOISE } from './noise.ts';
import { pow } from './portable-math.ts';

export interface Composition {
  readonly base: number;
  /** By factor name; never 0. */
  readonly weights: ReadonlyMap<string, number>;
  /** The factor of this instrument alone; `null` if the tables contain it. */
  readonly own: Factor | null;
}

interface TypeDefaults {
  /** Range of base prices, evenly distributed on a logarithmic scale. */
  readonly lowest: number;
  readonly highest: number;
  readonly own: Factor;
  readonly weights: Readonly<Record<string, number>>;
}

const TYPE_DEFAULTS: Readonly<Record<InstrumentType, TypeDefaults>> = {
  forex: { lowest: 0.6, highest: 2, own: { dailyPercent: 0.5, profile: 'europe' }, weights: {} },
  metal: { lowest: 20, highest: 2500, own: { dailyPercent: 1, profile: 'europe' }, weights: { XAU: 0.5 } },
  crypto: { lowest: 0.05, highest: 300, own: { dailyPercent: 2.8, profile: 'crypto' }, weights: { COINS: 1.1 } },
  index: { lowest: 1500, highest: 30_000, own: { dailyPercent: 0.6, profile: 'europe' }, weights: { SHARES: 0.8 } },
  energy: { lowest: 2, highest: 90, own: { dailyPercent: 1.5, profile: 'america' }, weights: { OIL: 0.6 } },
  equity: { lowest: 30, highest: 500, own: { dailyPercent: 1.3, profile: 'america' }, weights: { SHARES: 1.1 } },
};
/** A price of fewer ticks than this would hardly move. */
const MIN_PRICE_TICKS = 5000;

export function compositionOf({ symbol, type, digits }: InstrumentSpec): Composition {
  const standalone = Object.hasOwn(STANDALONE_ASSETS, symbol) ? STANDALONE_ASSETS[symbol] : undefined;
  if (standalone) return fromWeights(standalone.base, standalone.weights);
  const pair = pairOf(symbol);
  if (pair) return ratio(pair[0], pair[1]);
  const { lowest, highest, own, weights } = TYPE_DEFAULTS[type];
  const base = lowest * pow(highest / lowest, PUBLIC_NOISE.named(symbol).uniform(0));
  return { ...fromWeights(Math.max(base, MIN_PRICE_TICKS / 10 ** digits), weights), own };
}

const fromWeights = (base: number, weights: Readonly<Record<string, number>>): Composition => ({
  base,
  weights: new Map(Object.entries(weights)),
  own: null,
});

function ratio(base: Asset, quote: Asset): Composition {
  const weights = new Map(Object.entries(base.weights));
  for (const [name, weight] of Object.entries(quote.weights)) weights.set(name, (weights.get(name) ?? 0) - weight);
  for (const [name, weight] of weights) if (Math.abs(weight) < 1e-9) weights.delete(name);
  return { base: base.base / quote.base, weights, own: null };
}

function pairOf(symbol: string): [Asset, Asset] | null {
  for (let cut = 3; cut <= symbol.length - 3; cut++) {
    const [base, quote] = [symbol.slice(0, cut), symbol.slice(cut)];
    if (base !== quote && Object.hasOwn(ASSETS, base) && Object.hasOwn(ASSETS, quote))
      return [ASSETS[base]!, ASSETS[quote]!];
  }
  return null;
}

/** A factor of the table, or the instrument's own. */
export const factorOf = (name: string, own: Factor | null): Factor => {
  const factor = FACTORS.get(name) ?? own;
  if (!factor) throw new Error(`unknown factor ${name}`);
  return factor;
};
