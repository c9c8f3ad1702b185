import { expect, test } from 'bun:test';
import { averageTrueRange, exponentialAverage, standardDeviation } from './indicators.ts';

test('includes the gap from the previous close in the true range', () => {
  const bars = [
    { open: 10, high: 11, low: 9, close: 10 },
    { open: 15, high: 16, low: 14, close: 15 },
  ];
  expect(averageTrueRange(bars, 1)).toBe(6);
  expect(averageTrueRange(bars, 14)).toBe((2 + 6) / 2);
  expect(averageTrueRange([], 14)).toBe(0);
});

test('computes averages and deviations', () => {
  expect(exponentialAverage([1, 2, 3], 3)).toEqual([1, 1.5, 2.25]);
  expect(standardDeviation([2, 4, 4, 4, 5, 5, 7, 9])).toBe(2);
});
