// Delays of many short periods, compared as one: a machine that stops for a moment disturbs a period, and then few of all delays.
import { percentile } from './statistics.ts';

/** Delays are counted in bins, each half a percent wider than the one before. Milliseconds. */
const SHORTEST_MS = 0.001;
const WIDTH = Math.log(1.005);
const BINS = 4_000;
const RESAMPLES = 400;
/** The range has 95 of 100 resamples. */
const [LOW, HIGH] = [0.025, 0.975];

export class PeriodDelays {
  readonly bins = new Uint32Array(BINS);

  constructor(delays: Iterable<number>) {
    for (const delay of delays) {
      const bin = Math.floor(Math.log(Math.max(delay, SHORTEST_MS) / SHORTEST_MS) / WIDTH);
      this.bins[Math.min(BINS - 1, bin)]!++;
    }
  }
}

/** A percentile of the delays of all periods together, in milliseconds; `share` is from 0 to 1. */
export function pooledPercentile(periods: readonly PeriodDelays[], share: number): number {
  const sums = new Float64Array(BINS);
  let total = 0;
  for (const { bins } of periods)
    for (let bin = 0; bin < BINS; bin++) {
      sums[bin]! += bins[bin]!;
      total += bins[bin]!;
    }
  let seen = 0;
  for (let bin = 0; bin < BINS; bin++) {
    seen += sums[bin]!;
    if (seen > total * share) return SHORTEST_MS * Math.exp((bin + 0.5) * WIDTH);
  }
  return Number.NaN;
}

/** Two periods, one right after the other. */
export interface Pair {
  readonly without: PeriodDelays;
  readonly beside: PeriodDelays;
}

export interface PooledRatio {
  readonly ratio: number;
  /** What the ratio is in 95 of 100 random choices of as many pairs, each of which may be chosen again. */
  readonly low: number;
  readonly high: number;
}

/** How many times the percentile beside something is that without it. `random`: from 0 to 1. */
export function pooledRatio(pairs: readonly Pair[], share: number, random: () => number): PooledRatio {
  const ratioOf = (chosen: readonly Pair[]): number =>
    pooledPercentile(
      chosen.map(({ beside }) => beside),
      share,
    ) /
    pooledPercentile(
      chosen.map(({ without }) => without),
      share,
    );
  const chosen = (): Pair[] => pairs.map(() => pairs[Math.floor(random() * pairs.length)]!);
  const resampled = Float64Array.from({ length: RESAMPLES }, () => ratioOf(chosen())).sort();
  return { ratio: ratioOf(pairs), low: percentile(resampled, LOW), high: percentile(resampled, HIGH) };
}
