import { expect, test } from 'bun:test';
import type { PublisherDetail } from '@tickwire/client';
import { GOLDSMITH } from '../../testing/track-record.ts';
import { deviationOf, drawdownOf, equityOf } from './equity.ts';

const withResults = (results: readonly number[], more: Partial<PublisherDetail> = {}): PublisherDetail => {
  let total = 0;
  const equity = results.map((r, at) => {
    total += r;
    return { at: new Date(Date.UTC(2026, 2, at + 1)).toISOString(), r, total_r: total, open: 0 };
  });
  return { ...GOLDSMITH, ranked_signals: results.length, equity, average_r: null, sharpe: null, ...more };
};

test('derives the deviation of R from the published mean and Sharpe ratio', () => {
  const results = GOLDSMITH.equity.map(({ r }) => r);
  const mean = results.reduce((sum, r) => sum + r, 0) / results.length;
  const deviation = Math.sqrt(results.reduce((sum, r) => sum + (r - mean) ** 2, 0) / (results.length - 1));
  expect(deviationOf(GOLDSMITH)).toBeCloseTo(deviation, 2);
  expect(deviationOf(withResults(results))).toBeCloseTo(deviation, 9);
});

test('has no range of chance for one result, or for a thinned curve without figures', () => {
  expect(deviationOf(withResults([1]))).toBeNull();
  expect(deviationOf(withResults([1, -1], { ranked_signals: 900 }))).toBeNull();
  expect(equityOf(withResults([1]))[0]!.luck).toBeNull();
});

test('the range of chance grows with the root of the number of signals', () => {
  const steps = equityOf(withResults([1, -1, 1, -1]));
  const [first, , , fourth] = steps.map(({ luck }) => luck ?? Number.NaN);
  expect(fourth! / first!).toBeCloseTo(2, 9);
  expect(steps.map(({ count }) => count)).toEqual([1, 2, 3, 4]);
});

test('spreads the points of a thinned curve over all signals', () => {
  const steps = equityOf(withResults([1, 1, 1, 1], { ranked_signals: 1_000 }));
  expect(steps.map(({ count }) => count)).toEqual([250, 500, 750, 1_000]);
});

test('the maximum drawdown starts at a peak or at the start', () => {
  expect(drawdownOf(equityOf(withResults([-1, 2, -1, -1.5, 3])))).toEqual({ from: 1, to: 3 });
  expect(drawdownOf(equityOf(withResults([-1, -1, 3])))).toEqual({ from: -1, to: 1 });
  expect(drawdownOf(equityOf(withResults([1, 1])))).toBeNull();
});
