// The few measures the strategies use, over numbers in any unit.
import type { Bar } from './strategy.ts';

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of the whole population: the values are all there are. */
export function standardDeviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

/** Mean of the last `count` true ranges: a gap from the close before belongs to the range. */
export function averageTrueRange(bars: readonly Bar[], count: number): number {
  const ranges = bars.map(({ high, low }, index) => {
    const before = bars[index - 1]?.close ?? low;
    return Math.max(high, before) - Math.min(low, before);
  });
  return ranges.length === 0 ? 0 : mean(ranges.slice(-count));
}

/** Exponential moving average at every value, begun at the first. */
export function exponentialAverage(values: readonly number[], periods: number): number[] {
  const weight = 2 / (periods + 1);
  let average = values[0] ?? 0;
  return values.map((value) => {
    average += weight * (value - average);
    return average;
  });
}
