// A market snapshot in whole ticks, so that prices can be compared and added without rounding errors. The API does not
// return an instrument's digits, so they are taken from its prices: among so many, at least one uses all decimals.
import { averageTrueRange } from './indicators.ts';
import type { MarketSnapshot, PriceBar } from './strategy.ts';

const ATR_BARS = 14;

export interface MarketInTicks {
  readonly bars: readonly PriceBar[];
  readonly bid: number;
  readonly ask: number;
  /** At least one tick. */
  readonly spread: number;
  /** Average true range of the last 14 minutes. */
  readonly atr: number;
  readonly digits: number;
}

/** Returns `null` if there are fewer bars than needed, or if the bars or the quote are invalid. */
export function marketInTicks({ bars, quote }: MarketSnapshot, needed: number): MarketInTicks | null {
  if (bars.length < needed) return null;
  const prices = [quote.bid, quote.ask, ...bars.flatMap(({ open, high, low, close }) => [open, high, low, close])];
  const digits = Math.max(...prices.map(decimals));
  const scale = 10 ** digits;
  if (!prices.every((price) => price > 0 && Number.isSafeInteger(Math.round(price * scale)))) return null;
  const ticks = (price: number): number => Math.round(price * scale);
  const [bid, ask] = [ticks(quote.bid), ticks(quote.ask)];
  if (bid > ask) return null;
  const scaled = bars.map(({ open, high, low, close }) => ({
    open: ticks(open),
    high: ticks(high),
    low: ticks(low),
    close: ticks(close),
  }));
  if (!scaled.every(isBar)) return null;
  return { bars: scaled, bid, ask, spread: Math.max(1, ask - bid), atr: averageTrueRange(scaled, ATR_BARS), digits };
}

const isBar = ({ open, high, low, close }: PriceBar): boolean =>
  low <= Math.min(open, close) && high >= Math.max(open, close);

/** A division by a power of ten rounds correctly, so the result has at most `digits` decimals. */
export const priceOf = (ticks: number, digits: number): number => ticks / 10 ** digits;

/** Decimals of the shortest text of a number; small numbers are written like 1.5e-7. */
export function decimals(price: number): number {
  const [mantissa = '', exponent = '0'] = String(price).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}
