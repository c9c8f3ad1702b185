// Simple moving averages of the closes. Each value is summed from its own bars: a running sum would accumulate rounding errors, and
// fifty additions per change cost nothing.
import type { ChartCandle } from './chart-bars.ts';

/** Average close of the last `length` bars including this one; `null` if there are fewer. */
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

  /** Called after candles from `from` on have changed. Returns the index of the first value that may have changed. */
  update(candles: readonly ChartCandle[], from: number): number {
    this.#values.length = Math.min(this.#values.length, from);
    const start = this.#values.length;
    for (let at = start; at < candles.length; at++) this.#values.push(averageAt(candles, at, this.length));
    return start;
  }
}
