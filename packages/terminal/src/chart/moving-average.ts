// Simple moving averages of the closes. A value is summed afresh from its own bars: a running sum would gather rounding
// errors over a day of ticks, and fifty additions for each change are nothing.
import type { ChartCandle } from './bar-series.ts';

/** Average close of the `length` bars up to and with this one; null where there are fewer. */
export function averageAt(candles: readonly ChartCandle[], at: number, length: number): number | null {
  if (at < length - 1 || at >= candles.length) return null;
  let sum = 0;
  for (let index = at - length + 1; index <= at; index++) sum += candles[index]!.close;
  return sum / length;
}

export class MovingAverage {
  readonly length: number;
  #values: (number | null)[] = [];

  constructor(length: number) {
    this.length = length;
  }

  get values(): readonly (number | null)[] {
    return this.#values;
  }

  /** After candles from `from` on have changed. Tells from where on the values may be others. */
  update(candles: readonly ChartCandle[], from: number): number {
    this.#values.length = Math.min(this.#values.length, from);
    const start = this.#values.length;
    for (let at = start; at < candles.length; at++) this.#values.push(averageAt(candles, at, this.length));
    return start;
  }
}
