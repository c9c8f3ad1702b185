// Sharpe ratio, skewness and kurtosis of integers that are added one by one. Keeps the exact sums of their powers: additions never
// drift, their order does not matter, and equal numbers have a variance of exactly 0.
import type { SharpeSample } from './sharpe-ratio.ts';

export class SampleMoments {
  #count = 0n;
  #sum = 0n;
  #squares = 0n;
  #cubes = 0n;
  #fourths = 0n;

  add(value: number): void {
    const x = BigInt(value);
    const xx = x * x;
    this.#count += 1n;
    this.#sum += x;
    this.#squares += xx;
    this.#cubes += xx * x;
    this.#fourths += xx * xx;
  }

  /** `null` without variance. The result does not depend on the unit of the numbers. */
  sample(): SharpeSample | null {
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
