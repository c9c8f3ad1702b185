// How busy an instrument is, how wide its spread, and in what sizes it trades. Sizes are in lots for forex, metals,
// indices and energy, in coins for crypto, in shares for equities.
import type { InstrumentType } from '@tickwire/contract';
import type { InstrumentSpec } from '@tickwire/engine';

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

interface Class {
  /** Usual spread as a fraction of the price. */
  readonly spread: number;
  readonly sizeDigits: number;
  readonly meanTrade: number;
}

const CLASSES: Readonly<Record<InstrumentType, Class>> = {
  forex: { spread: 1.2e-4, sizeDigits: 2, meanTrade: 0.8 },
  metal: { spread: 3e-4, sizeDigits: 2, meanTrade: 0.6 },
  crypto: { spread: 3e-4, sizeDigits: 0, meanTrade: 0 },
  index: { spread: 1e-4, sizeDigits: 1, meanTrade: 1.6 },
  energy: { spread: 6e-4, sizeDigits: 1, meanTrade: 3 },
  equity: { spread: 2e-4, sizeDigits: 0, meanTrade: 120 },
};
/** Coins differ in price by a factor of a million: their mean trade is a sum of dollars. */
const MEAN_COIN_TRADE_USD = 4000;
const STRANGER_ACTIVITY = 1.5;

export function liquidityOf({ symbol, type, digits }: InstrumentSpec, base: number): Liquidity {
  const shape = CLASSES[type];
  const known = Object.hasOwn(KNOWN, symbol) ? KNOWN[symbol] : undefined;
  // A step of a coin's size is worth some dollars at most.
  const coinDigits = Math.min(5, Math.max(0, Math.round(Math.log10(base)) - 1));
  const sizeDigits = type === 'crypto' ? coinDigits : shape.sizeDigits;
  const meanTrade = type === 'crypto' ? MEAN_COIN_TRADE_USD / base : shape.meanTrade;
  return {
    activity: known?.[0] ?? STRANGER_ACTIVITY,
    spread: Math.max(known?.[1] ?? shape.spread * base, 10 ** -digits),
    sizeDigits,
    tradeSteps: meanTrade * 10 ** sizeDigits,
  };
}
