// Hand-made one-minute bars for the tests of the strategies.
import type { MarketSnapshot, PriceBar } from '../src/strategies/strategy.ts';

/** A bar with wicks of this length on both sides. */
export const bar = (open: number, close: number, wick = 0.0001): PriceBar => ({
  open,
  high: round(Math.max(open, close) + wick),
  low: round(Math.min(open, close) - wick),
  close,
});

/** Consecutive bars with these closes. */
export const barsThrough = (closes: readonly number[], wick = 0.0001): PriceBar[] =>
  closes.map((close, index) => bar(closes[index - 1] ?? close, close, wick));

/** A market at the last close, with a spread of one pip by default. */
export function snapshotOf(bars: readonly PriceBar[], spread = 0.0001): MarketSnapshot {
  const bid = bars.at(-1)?.close ?? 1.1;
  return { bars, quote: { bid, ask: round(bid + spread) } };
}

/** The same market mirrored at a price: a buy must become a sell. */
export const mirrored = (bars: readonly PriceBar[], around = 1.1): PriceBar[] =>
  bars.map(({ open, high, low, close }) => ({
    open: round(2 * around - open),
    high: round(2 * around - low),
    low: round(2 * around - high),
    close: round(2 * around - close),
  }));

export const round = (price: number): number => Number(price.toFixed(5));

/** Closes that oscillate within a few pips. */
export const sideways = (count: number, middle = 1.1): number[] =>
  Array.from({ length: count }, (_, index) => round(middle + 0.0002 * Math.sin(index * 1.3)));
