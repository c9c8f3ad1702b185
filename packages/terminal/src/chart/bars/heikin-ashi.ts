// Heikin Ashi candles: averages of the prices, which make trends easier to see. Each depends on the one before, so a change of a
// bar changes all later ones.
import type { ChartCandle } from './chart-bars.ts';

export interface HeikinAshi {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** `before`: `null` for the first candle. */
export function heikinAshi({ open, high, low, close }: ChartCandle, before: HeikinAshi | null): HeikinAshi {
  const average = (open + high + low + close) / 4;
  const start = before ? (before.open + before.close) / 2 : (open + close) / 2;
  return { open: start, high: Math.max(high, start, average), low: Math.min(low, start, average), close: average };
}

/** Replaces the candles from `from` on, in place. */
export function updateHeikinAshi(made: HeikinAshi[], candles: readonly ChartCandle[], from: number): void {
  made.length = Math.min(from, made.length);
  for (let at = made.length; at < candles.length; at++) made.push(heikinAshi(candles[at]!, made[at - 1] ?? null));
}
