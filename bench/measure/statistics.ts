// Medians and percentiles. Few rounds on a busy machine: the median with its range says more than a mean.

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

/** Of values in ascending order; `share` from 0 to 1. */
export const percentile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** Round by round, so that what disturbed the machine in a round disturbs both sides of a ratio. */
export const ratios = (ours: readonly number[], theirs: readonly number[]): number[] =>
  ours.slice(0, theirs.length).map((value, round) => value / theirs[round]!);
