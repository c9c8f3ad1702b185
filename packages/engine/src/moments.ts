// Mean, spread and shape of whole numbers that come one by one. Kept are the exact sums of their powers: a million additions drift
// by nothing, the order does not matter, and equal numbers have a variance of exactly 0. What cancels, cancels in integers.
import type { SharpeSample } from './sharpe.ts';

export class Moments {
  #count = 0n;
  #sum = 0n;
  #squares = 0n;
  #cubes = 0n;
  #fourths = 0n;

  add(whole: number): void {
    const x = BigInt(whole);
    const xx = x * x;
    this.#count += 1n;
    this.#sum += x;
    this.#squares += xx;
    this.#cubes += xx * x;
    this.#fourths += xx * xx;
  }

  /** Null where there is no variance. The unit of the numbers cancels. */
  sample(): SharpeSample | null {
    const [n, s1, s2, s3, s4] = [this.#count, this.#sum, this.#squares, this.#cubes, this.#fourths];
    // The central moments (1/n) Σ (x − mean)^k, each times n^k, which makes them whole; the factors cancel in the ratios.
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
