import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SampleMoments } from './sample-moments.ts';

function momentsOf(numbers: readonly number[]): SampleMoments {
  const moments = new SampleMoments();
  for (const number of numbers) moments.add(number);
  return moments;
}

/** Textbook formulas, in two passes. */
function twoPasses(numbers: readonly number[]) {
  const n = numbers.length;
  const mean = numbers.reduce((sum, x) => sum + x, 0) / n;
  const central = (k: number) => numbers.reduce((sum, x) => sum + (x - mean) ** k, 0) / n;
  return {
    sharpe: mean / Math.sqrt((central(2) * n) / (n - 1)),
    skewness: central(3) / central(2) ** 1.5,
    kurtosis: central(4) / central(2) ** 2,
  };
}

const numbers = fc.array(fc.integer({ min: -100_000, max: 300_000 }), { minLength: 3, maxLength: 200 });

describe('sample moments', () => {
  test('of 1 2 3 4 10 match a manual calculation: mean 4, central moments 10, 36, 278.8', () => {
    const sample = momentsOf([1, 2, 3, 4, 10]).sample()!;
    expect(sample.sharpe).toBeCloseTo(4 / Math.sqrt(12.5), 14);
    expect(sample.skewness).toBeCloseTo(36 / 10 ** 1.5, 14);
    expect(sample.kurtosis).toBeCloseTo(2.788, 14);
  });

  test('equal a two-pass calculation', () => {
    fc.assert(
      fc.property(numbers, (all) => {
        const sample = momentsOf(all).sample();
        if (new Set(all).size === 1) expect(sample).toBeNull();
        else {
          const expected = twoPasses(all);
          expect(sample!.sharpe).toBeCloseTo(expected.sharpe, 9);
          expect(sample!.skewness).toBeCloseTo(expected.skewness, 9);
          expect(sample!.kurtosis).toBeCloseTo(expected.kurtosis, 9);
        }
      }),
    );
  });

  test('lose no precision of the shape to a large common offset', () => {
    fc.assert(
      fc.property(numbers, (all) => {
        const sample = momentsOf(all).sample();
        const shifted = momentsOf(all.map((x) => x + 1e12)).sample();
        expect(shifted?.skewness).toBe(sample?.skewness);
        expect(shifted?.kurtosis).toBe(sample?.kurtosis);
      }),
    );
  });

  test('have a kurtosis of at least 1 + skewness²', () => {
    fc.assert(
      fc.property(numbers, (all) => {
        const sample = momentsOf(all).sample();
        if (sample) expect(sample.kurtosis).toBeGreaterThanOrEqual((1 + sample.skewness ** 2) * (1 - 1e-12));
      }),
    );
  });
});
