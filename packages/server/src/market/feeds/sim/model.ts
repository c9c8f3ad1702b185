// The model of the simulated market, built from the tables: its factors, and each instrument as weights on them. It is
// determined by seed, rate, hours mode and the list of instruments.
import type { InstrumentSpec } from '@tickwire/engine';
import { ActivityProfile, type ProfileName } from './activity-profile.ts';
import { compositionOf, factorOf } from './composition.ts';
import { FactorPath } from './factor-path.ts';
import { liquidityOf } from './liquidity.ts';
import type { Noise } from './noise.ts';
import { log } from './portable-math.ts';
import { noiseOfSeed } from './seed-keys.ts';
import { UNITS_PER_DAY, UNITS_PER_SECOND } from './time-grid.ts';
import { Volatility } from './volatility.ts';

export interface SimOptions {
  readonly seed: number;
  /** Quote updates per second over all instruments while all are open. */
  readonly rate: number;
  /** `always`: every market is always open; `real`: each has its trading hours. */
  readonly hours: 'always' | 'real';
  /** The activity that shares the rate. Default: that of the instruments. */
  readonly totalActivity?: number;
}

export interface FactorModel {
  readonly noise: Noise;
  readonly dailyVol: number;
  readonly volatility: Volatility;
}

export interface InstrumentModel {
  readonly spec: InstrumentSpec;
  readonly noise: Noise;
  readonly logBase: number;
  /** Ticks per unit of price. */
  readonly tickScale: number;
  /** Indices in the list of factors, with the weight of each. */
  readonly factors: readonly number[];
  readonly weights: Float64Array;
  /** Standard deviation of the change of the log-price in an average unit of time. */
  readonly unitVol: number;
  /** Each factor's share of the variance. */
  readonly shares: Float64Array;
  readonly quotesPerUnit: number;
  readonly spreadTicks: number;
  readonly sizeScale: number;
  /** Mean size of a trade in steps of 1 / sizeScale. */
  readonly tradeSteps: number;
}

/** What an instrument's noise is drawn for. Draws of different purposes are independent. */
export const Purpose = {
  count: 0,
  rate: 1,
  absorption: 2,
  story: 3,
  bar: 4,
  barVolume: 5,
  close: 6,
  /** Plus the place of the timeframe. */
  part: 16,
  partVolume: 32,
  /** Plus the number of the quote in its unit. */
  quote: 64,
} as const;

export interface MarketModel {
  readonly factors: readonly FactorModel[];
  readonly instruments: readonly InstrumentModel[];
  /** Of the simulated headlines. */
  readonly newsNoise: Noise;
}

/** Sum of the activity of all instruments. */
export const totalActivityOf = (specs: readonly InstrumentSpec[]): number =>
  specs.reduce((sum, spec) => sum + liquidityOf(spec, compositionOf(spec).base).activity, 0);

export function buildModel(specs: readonly InstrumentSpec[], options: SimOptions): MarketModel {
  const { seed, rate, hours, totalActivity = totalActivityOf(specs) } = options;
  const root = noiseOfSeed(seed);
  const factors: FactorModel[] = [];
  const positions = new Map<string, number>();
  const profiles = new Map<ProfileName, ActivityProfile>();
  const parts = specs.map((spec) => {
    const composition = compositionOf(spec);
    return { spec, composition, liquidity: liquidityOf(spec, composition.base) };
  });
  const instruments = parts.map(({ spec, composition, liquidity }): InstrumentModel => {
    const { base, own } = composition;
    const weights = new Map(composition.weights);
    if (own) weights.set(`own:${spec.symbol}`, 1);
    for (const name of weights.keys()) {
      const { dailyPercent, profile: profileName } = factorOf(name, own);
      if (positions.has(name)) continue;
      const noise = root.named(name);
      const profile =
        profiles.get(profileName) ?? new ActivityProfile(profileName, hours === 'real' && profileName !== 'crypto');
      profiles.set(profileName, profile);
      positions.set(name, factors.length);
      factors.push({ noise, dailyVol: dailyPercent / 100, volatility: new Volatility(noise, profile) });
    }
    const used = [...weights.keys()].map((name) => positions.get(name)!);
    const variances = [...weights.values()].map((weight, at) => (weight * factors[used[at]!]!.dailyVol) ** 2);
    const variance = variances.reduce((sum, part) => sum + part, 0);
    const tickScale = 10 ** spec.digits;
    return {
      spec,
      noise: root.named(`ticks:${spec.symbol}`),
      logBase: log(base),
      tickScale,
      factors: used,
      weights: Float64Array.from(weights.values()),
      unitVol: Math.sqrt(variance / UNITS_PER_DAY),
      shares: Float64Array.from(variances, (part) => part / variance),
      quotesPerUnit: (rate * liquidity.activity) / totalActivity / UNITS_PER_SECOND,
      spreadTicks: liquidity.spread * tickScale,
      sizeScale: 10 ** liquidity.sizeDigits,
      tradeSteps: liquidity.tradeSteps,
    };
  });
  return { factors, instruments, newsNoise: root.named('news') };
}

/** Volatility of an instrument in a bucket of time, as a multiple of the average. */
export function volatilityOf({ factors }: MarketModel, instrument: InstrumentModel, bucket: number): number {
  let square = 0;
  for (let at = 0; at < instrument.shares.length; at++)
    square += instrument.shares[at]! * factors[instrument.factors[at]!]!.volatility.at(bucket) ** 2;
  return Math.sqrt(square);
}

/** The same by the activity profile alone, without regimes. */
export function activityOf({ factors }: MarketModel, instrument: InstrumentModel, bucket: number): number {
  let square = 0;
  for (let at = 0; at < instrument.shares.length; at++)
    square += instrument.shares[at]! * factors[instrument.factors[at]!]!.volatility.profile.at(bucket) ** 2;
  return Math.sqrt(square);
}

/** One cursor on every factor. Code that reads at different times needs separate instances. */
export class Paths {
  readonly factors: readonly FactorPath[];

  constructor(factors: readonly FactorModel[]) {
    this.factors = factors.map(({ noise, dailyVol, volatility }) => new FactorPath(noise, dailyVol, volatility));
  }

  /** Log of an instrument's mid price at the start of a unit. */
  logPrice({ logBase, factors, weights }: InstrumentModel, unit: number): number {
    let sum = logBase;
    for (let at = 0; at < weights.length; at++) sum += weights[at]! * this.factors[factors[at]!]!.at(unit);
    return sum;
  }

  /** The same at the whole minutes from the unit `first`. */
  logPricesOfMinutes({ logBase, factors, weights }: InstrumentModel, first: number, into: Float64Array): void {
    const values = new Float64Array(into.length);
    into.fill(logBase);
    for (let at = 0; at < weights.length; at++) {
      this.factors[factors[at]!]!.readMinutes(first, values);
      const weight = weights[at]!;
      for (let minute = 0; minute < into.length; minute++) into[minute]! += weight * values[minute]!;
    }
  }
}
