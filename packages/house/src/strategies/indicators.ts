// The indicators that the strategies use. Results have the unit of the input.
import type { PriceBar } from './strategy.ts';

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Population standard deviation. */
export function standardDeviation(values: readonly number[]): number {
  const average = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - average) ** 2)));
}

/** Mean of the last `count` true ranges. A true range includes the gap from the previous close. */
export function averageTrueRange(bars: readonly PriceBar[], count: number): number {
  const ranges = bars.map(({ high, low }, index) => {
    const previous = bars[index - 1]?.close ?? low;
    return Math.max(high, previous) - Math.min(low, previous);
  });
  return ranges.length === 0 ? 0 : mean(ranges.slice(-count));
}

/** Exponential moving average at every value, starting at the first value. */
export function exponentialAverage(values: readonly number[], periods: number): number[] {
  const weight = 2 / (periods + 1);
  let average = values[0] ?? 0;
  return values.map((value) => {
    average += weight * (value - average);
    return average;
  });
}
