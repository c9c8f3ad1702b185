// A Sharpe ratio and the confidence in it: D. H. Bailey, M. López de Prado, "The Sharpe Ratio Efficient Frontier" (2012).
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

/** Integers below this are added as numbers, in two parts of at most 21 bits of their squares; greater ones as big integers. */
const FAST_LIMIT = 2 ** 21;
const PART = 2 ** 20;
/** Up to this number of results, sums of parts stay below 2^53. */
const FAST_ADDS = 256;

/**
 * Sharpe ratio, skewness and kurtosis of integers that are added one by one. Keeps the exact sums of their powers: additions
 * never drift, their order does not matter, and equal numbers have a variance of exactly 0.
 */
export class SampleMoments {
  #count = 0n;
  #sum = 0n;
  #squares = 0n;
  #cubes = 0n;
  #fourths = 0n;
  /** Not yet part of the sums above. With square = high · PART + low: sums of x, x², x·high, x·low, high², high·low, low². */
  #pending = 0;
  readonly #parts = new Float64Array(7);

  add(value: number): void {
    if (Math.abs(value) >= FAST_LIMIT) {
      this.#addBig(BigInt(value));
      return;
    }
    const square = value * value;
    const high = Math.floor(square / PART);
    const low = square - high * PART;
    const parts = this.#parts;
    parts[0]! += value;
    parts[1]! += square;
    parts[2]! += value * high;
    parts[3]! += value * low;
    parts[4]! += high * high;
    parts[5]! += high * low;
    parts[6]! += low * low;
    if (++this.#pending === FAST_ADDS) this.#fold();
  }

  #addBig(x: bigint): void {
    const xx = x * x;
    this.#count += 1n;
    this.#sum += x;
    this.#squares += xx;
    this.#cubes += xx * x;
    this.#fourths += xx * xx;
  }

  #fold(): void {
    const [sum, squares, cubesHigh, cubesLow, high, mixed, low] = Array.from(this.#parts, BigInt) as [
      ...(readonly [bigint, bigint, bigint, bigint, bigint, bigint, bigint]),
    ];
    const part = BigInt(PART);
    this.#count += BigInt(this.#pending);
    this.#sum += sum;
    this.#squares += squares;
    this.#cubes += cubesHigh * part + cubesLow;
    this.#fourths += high * part ** 2n + 2n * mixed * part + low;
    this.#pending = 0;
    this.#parts.fill(0);
  }

  /** `null` without variance. The result does not depend on the unit of the numbers. */
  sample(): SharpeSample | null {
    this.#fold();
    const [n, s1, s2, s3, s4] = [this.#count, this.#sum, this.#squares, this.#cubes, this.#fourths];
    // Central moments (1/n) Σ (x − mean)^k, times n^k to make them integers; the factors cancel in the ratios.
    const second = n * s2 - s1 ** 2n;
    if (second === 0n) return null;
    const third = n ** 2n * s3 - 3n * n * s1 * s2 + 2n * s1 ** 3n;
    const fourth = n ** 3n * s4 - 4n * n ** 2n * s1 * s3 + 6n * n * s1 ** 2n * s2 - 3n * s1 ** 4n;
    const spread = Number(second);
    return {
      sharpe: Number(s1) * Math.sqrt(Number(n - 1n) / (Number(n) * spread)),
      skewness: Number(third) / spread ** 1.5,
      kurtosis: Number(fourth) / spread ** 2,
    };
  }
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
