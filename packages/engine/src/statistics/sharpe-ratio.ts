// Confidence in a Sharpe ratio: D. H. Bailey, M. López de Prado, "The Sharpe Ratio Efficient Frontier" (2012).
// Few observations, negative skewness (rare large losses) and high kurtosis (fat tails) make a Sharpe ratio less certain.
import { normalCdf, Z_95_ONE_SIDED } from './normal-distribution.ts';

/** Shape of the distribution of results. */
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

/** Observations needed for 95 % confidence that the true Sharpe ratio is above the benchmark, as that of the sample must be. */
export function minimumTrackRecord(sample: SharpeSample, benchmark = 0): number {
  return 1 + variance(sample) * (Z_95_ONE_SIDED / (sample.sharpe - benchmark)) ** 2;
}

/**
 * Variance of the estimate, times n − 1. Mathematically never negative, because kurtosis ≥ 1 + skewness²; the clamp guards against
 * rounding for samples of two distinct results, where it can be close to 0.
 */
function variance({ sharpe, skewness, kurtosis }: SharpeSample): number {
  return Math.max(0, 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2);
}
