// Hand-made minutes for the strategies.
import type { Bar, Look } from './strategy.ts';

/** A bar a little wider than the way from open to close. */
export const bar = (open: number, close: number, wick = 0.0001): Bar => ({
  open,
  high: round(Math.max(open, close) + wick),
  low: round(Math.min(open, close) - wick),
  close,
});

/** Bars through the closes, one after another. */
export const through = (closes: readonly number[], wick = 0.0001): Bar[] =>
  closes.map((close, index) => bar(closes[index - 1] ?? close, close, wick));

/** The market stands at the last close, with a spread of a pip. */
export function lookAt(bars: readonly Bar[], spread = 0.0001): Look {
  const bid = bars.at(-1)?.close ?? 1.1;
  return { bars, quote: { bid, ask: round(bid + spread) } };
}

/** The same market upside down around a price: what was a buy must be a sell. */
export const mirrored = (bars: readonly Bar[], around = 1.1): Bar[] =>
  bars.map(({ open, high, low, close }) => ({
    open: round(2 * around - open),
    high: round(2 * around - low),
    low: round(2 * around - high),
    close: round(2 * around - close),
  }));

export const round = (price: number): number => Number(price.toFixed(5));

/** Back and forth within a few pips, going nowhere. */
export const sideways = (count: number, middle = 1.1): number[] =>
  Array.from({ length: count }, (_, index) => round(middle + 0.0002 * Math.sin(index * 1.3)));
