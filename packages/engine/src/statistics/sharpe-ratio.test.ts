import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { minimumTrackRecord, probabilisticSharpe, SampleMoments } from './sharpe-ratio.ts';

const MONTHS = 12;
const monthly = (annual: number): number => annual / Math.sqrt(MONTHS);

describe('probabilistic Sharpe ratio', () => {
  test('matches the fund of the paper: 24 months of 0.458; 98.2 % if normal, 91.3 % with its skewness and kurtosis', () => {
    expect(probabilisticSharpe({ sharpe: 0.458, skewness: 0, kurtosis: 3 }, 24)).toBeCloseTo(0.982, 3);
    expect(probabilisticSharpe({ sharpe: 0.458, skewness: -2.448, kurtosis: 10.164 }, 24)).toBeCloseTo(0.913, 3);
  });

  test('reaches 95 % with a third year of the same results', () => {
    const fund = { sharpe: 0.458, skewness: -2.448, kurtosis: 10.164 };
    expect(probabilisticSharpe(fund, 36)).toBeGreaterThan(0.95);
    expect(minimumTrackRecord(fund)).toBeGreaterThan(24);
    expect(minimumTrackRecord(fund)).toBeLessThan(36);
  });

  test('matches the minimum track record of the paper: 3.24 years for normal months, 4.99 for a hedge fund', () => {
    const normal = { sharpe: monthly(2), skewness: 0, kurtosis: 3 };
    expect(minimumTrackRecord(normal, monthly(1)) / MONTHS).toBeCloseTo(3.24, 2);
    const hedgeFund = { sharpe: monthly(2), skewness: -0.72, kurtosis: 5.78 };
    expect(minimumTrackRecord(hedgeFund, monthly(1)) / MONTHS).toBeCloseTo(4.99, 2);
  });

  test('is 95 % with exactly the minimum track record', () => {
    const sample = fc
      .record({
        sharpe: fc.double({ min: 0.01, max: 3, noNaN: true }),
        skewness: fc.double({ min: -3, max: 3, noNaN: true }),
        tails: fc.double({ min: 1.1, max: 20, noNaN: true }),
      })
      .map(({ sharpe, skewness, tails }) => ({ sharpe, skewness, kurtosis: skewness ** 2 + tails }));
    fc.assert(
      fc.property(sample, (one) => {
        expect(probabilisticSharpe(one, minimumTrackRecord(one))).toBeCloseTo(0.95, 9);
      }),
    );
  });

  test('is certain, not undefined, for an estimate without variance', () => {
    // Kurtosis 1 + skewness² and a Sharpe ratio of 2 / skewness: the variance is 0, and sometimes below 0 in floating point.
    for (const skewness of [0.3, 0.7, 1.1, 1.7, 2.3]) {
      const sample = { sharpe: 2 / skewness, skewness, kurtosis: 1 + skewness ** 2 };
      expect(probabilisticSharpe(sample, 30)).toBe(1);
      expect(minimumTrackRecord(sample)).toBeCloseTo(1, 9);
      const mirrored = { ...sample, sharpe: -sample.sharpe, skewness: -skewness };
      expect(probabilisticSharpe(mirrored, 30)).toBe(0);
    }
  });
});

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
