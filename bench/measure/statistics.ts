// Medians and percentiles. With few rounds on a busy machine, the median and its range are more informative than a mean.

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export const range = (values: readonly number[]): readonly [low: number, high: number] => [
  Math.min(...values),
  Math.max(...values),
];

/** Percentile of ascending values; `share` is from 0 to 1. */
export const percentile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** Ratios per round, so that a disturbance of a round affects both sides of a ratio. */
export const ratios = (ours: readonly number[], theirs: readonly number[]): number[] =>
  ours.slice(0, theirs.length).map((value, round) => value / theirs[round]!);
