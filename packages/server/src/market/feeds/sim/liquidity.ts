// Activity, spread and trade sizes of each instrument. Sizes are in lots for forex, metals, indices and energy, in coins for
// crypto, in shares for equities.
import type { InstrumentType } from '@tickwire/contract';
import type { InstrumentSpec } from '@tickwire/engine';
import { pow } from './portable-math.ts';

export interface Liquidity {
  /** Share of all quote updates, relative to the others. */
  readonly activity: number;
  /** Usual spread in price units. */
  readonly spread: number;
  /** Decimals of a size: one step is 10^-sizeDigits. */
  readonly sizeDigits: number;
  /** Mean size of a trade, in steps. */
  readonly tradeSteps: number;
}

/** Activity, and the usual spread in price units at the base price. */
const KNOWN: Readonly<Record<string, readonly [activity: number, spread: number]>> = {
  EURUSD: [6, 0.00006],
  GBPUSD: [4, 0.00009],
  USDJPY: [5, 0.008],
  USDCHF: [2, 0.0001],
  AUDUSD: [3, 0.00008],
  USDCAD: [2.5, 0.0001],
  NZDUSD: [1.5, 0.00012],
  EURGBP: [2, 0.00009],
  EURJPY: [3, 0.012],
  GBPJPY: [3, 0.018],
  XAUUSD: [7, 0.22],
  XAGUSD: [3, 0.022],
  BTCUSD: [7, 9],
  ETHUSD: [5, 0.6],
  SOLUSD: [4, 0.04],
  XRPUSD: [3, 0.0006],
  US500: [5, 0.5],
  NAS100: [6, 1.2],
  US30: [4, 2],
  GER40: [4, 1.2],
  UK100: [2, 1],
  JPN225: [2, 7],
  USOIL: [3, 0.03],
  UKOIL: [2, 0.03],
  NATGAS: [1.5, 0.005],
};

interface TypeLiquidity {
  /** Usual spread as a fraction of the price. */
  readonly spread: number;
  readonly sizeDigits: number;
  readonly meanTrade: number;
}

const TYPE_LIQUIDITY: Readonly<Record<InstrumentType, TypeLiquidity>> = {
  forex: { spread: 1.2e-4, sizeDigits: 2, meanTrade: 0.8 },
  metal: { spread: 3e-4, sizeDigits: 2, meanTrade: 0.6 },
  crypto: { spread: 3e-4, sizeDigits: 0, meanTrade: 0 },
  index: { spread: 1e-4, sizeDigits: 1, meanTrade: 1.6 },
  energy: { spread: 6e-4, sizeDigits: 1, meanTrade: 3 },
  equity: { spread: 2e-4, sizeDigits: 0, meanTrade: 120 },
};
/** Coin prices differ by a factor of a million, so their mean trade is an amount in dollars. */
const MEAN_COIN_TRADE_USD = 4000;
const DEFAULT_ACTIVITY = 1.5;

export function liquidityOf({ symbol, type, digits }: InstrumentSpec, base: number): Liquidity {
  const byType = TYPE_LIQUIDITY[type];
  const known = Object.hasOwn(KNOWN, symbol) ? KNOWN[symbol] : undefined;
  // A size step of a coin is worth a few dollars at most.
  const coinDigits = Math.min(5, Math.max(0, Math.round(Math.log10(base)) - 1));
  const sizeDigits = type === 'crypto' ? coinDigits : byType.sizeDigits;
  const meanTrade = type === 'crypto' ? MEAN_COIN_TRADE_USD / base : byType.meanTrade;
  return {
    activity: known?.[0] ?? DEFAULT_ACTIVITY,
    spread: Math.max(known?.[1] ?? byType.spread * base, 10 ** -digits),
    sizeDigits,
    tradeSteps: meanTrade * 10 ** sizeDigits,
  };
}

const SIZE_CLASSES = 1024;

const TAIL = 0.6;
/** Subtracted so that small sizes are common; the mean of (1 − u)^−TAIL is 1 / (1 − TAIL). */
const SHIFT = 0.9;

function multiples(): Float64Array {
  const table = new Float64Array(SIZE_CLASSES);
  for (let at = 0; at < SIZE_CLASSES; at++) table[at] = pow(1 - (at + 0.5) / SIZE_CLASSES, -TAIL) - SHIFT;
  const mean = table.reduce((sum, value) => sum + value, 0) / SIZE_CLASSES;
  return table.map((value) => value / mean);
}

/**
 * Trade sizes: many small ones, few very large ones. Multiples of the mean in 1,024 equally likely classes, with a Pareto tail
 * (exponent 5/3): the smallest is 1/15 of the mean, the median about 0.4, one in a thousand is over 40 times the mean.
 */
export const SIZE_MULTIPLES: Float64Array = multiples();
