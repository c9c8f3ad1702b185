import { expect, test } from 'bun:test';
import type { PublisherDetail } from '@tickwire/client';
import { courseOf, drawdownOf, spreadOf } from './equity.ts';
import { GOLDSMITH } from './track-record.fixture.ts';

const withResults = (results: readonly number[], more: Partial<PublisherDetail> = {}): PublisherDetail => {
  let total = 0;
  const equity = results.map((r, at) => {
    total += r;
    return { at: new Date(Date.UTC(2026, 2, at + 1)).toISOString(), r, total_r: total };
  });
  return { ...GOLDSMITH, ranked_signals: results.length, equity, average_r: null, sharpe: null, ...more };
};

test('the spread of R is what the published mean and Sharpe ratio come from', () => {
  const results = GOLDSMITH.equity.map(({ r }) => r);
  const mean = results.reduce((sum, r) => sum + r, 0) / results.length;
  const spread = Math.sqrt(results.reduce((sum, r) => sum + (r - mean) ** 2, 0) / (results.length - 1));
  expect(spreadOf(GOLDSMITH)).toBeCloseTo(spread, 2);
  expect(spreadOf(withResults(results))).toBeCloseTo(spread, 9);
});

test('one result alone, or a thinned course without figures, says nothing of luck', () => {
  expect(spreadOf(withResults([1]))).toBeNull();
  expect(spreadOf(withResults([1, -1], { ranked_signals: 900 }))).toBeNull();
  expect(courseOf(withResults([1]))[0]!.luck).toBeNull();
});

test('luck grows with the root of the number of signals', () => {
  const course = courseOf(withResults([1, -1, 1, -1]));
  const [first, , , fourth] = course.map(({ luck }) => luck ?? Number.NaN);
  expect(fourth! / first!).toBeCloseTo(2, 9);
  expect(course.map(({ count }) => count)).toEqual([1, 2, 3, 4]);
});

test('the points of a thinned course are spread over all signals', () => {
  const course = courseOf(withResults([1, 1, 1, 1], { ranked_signals: 1_000 }));
  expect(course.map(({ count }) => count)).toEqual([250, 500, 750, 1_000]);
});

test('the deepest fall is from a peak, of which the start is one', () => {
  expect(drawdownOf(courseOf(withResults([-1, 2, -1, -1.5, 3])))).toEqual({ from: 1, to: 3 });
  expect(drawdownOf(courseOf(withResults([-1, -1, 3])))).toEqual({ from: -1, to: 1 });
  expect(drawdownOf(courseOf(withResults([1, 1])))).toBeNull();
});
