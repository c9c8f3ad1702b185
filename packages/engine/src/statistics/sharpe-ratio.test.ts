import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { minimumTrackRecord, probabilisticSharpe } from './sharpe-ratio.ts';

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
