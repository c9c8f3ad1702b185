// How far a Sharpe ratio can be believed: D. H. Bailey, M. López de Prado, "The Sharpe Ratio Efficient Frontier" (2012).
// Few observations, losses with a long tail (negative skewness) and fat tails (kurtosis) make it less certain than it looks.
import { normalCdf, Z_95_ONE_SIDED } from './normal.ts';

/** What is known of the distribution of the results. */
export interface SharpeSample {
  /** Mean / sample standard deviation per observation, not annualised. */
  readonly sharpe: number;
  readonly skewness: number;
  /** Plain, not excess: 3 for a normal distribution. */
  readonly kurtosis: number;
}

/** Probability that the true Sharpe ratio is above the benchmark, after n observations. */
export function probabilisticSharpe(sample: SharpeSample, n: number, benchmark = 0): number {
  return normalCdf(((sample.sharpe - benchmark) * Math.sqrt(n - 1)) / Math.sqrt(variance(sample)));
}

/** Observations needed for 95 % confidence that the true Sharpe ratio is above the benchmark; it must be above in the sample. */
export function minimumTrackRecord(sample: SharpeSample, benchmark = 0): number {
  return 1 + variance(sample) * (Z_95_ONE_SIDED / (sample.sharpe - benchmark)) ** 2;
}

/**
 * Variance of the estimate, times n − 1. Never negative, as kurtosis ≥ 1 + skewness²; a sample of only two distinct results can come
 * close to 0, where rounding must not carry it below.
 */
function variance({ sharpe, skewness, kurtosis }: SharpeSample): number {
  return Math.max(0, 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2);
}
