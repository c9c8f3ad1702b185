import { expect, test } from 'bun:test';
import { History, line } from './history.ts';

test('keeps only the newest samples', () => {
  const history = new History(3);
  for (const value of [1, 2, 3, 4, 5]) history.add(value * 1_000, value);
  expect(history.samples.map(({ value }) => value)).toEqual([3, 4, 5]);
});

test('places samples by time from left to right, above zero', () => {
  const samples = [
    { at: 0, value: 50 },
    { at: 1_000, value: 100 },
    { at: 4_000, value: 0 },
  ];
  expect(line(samples, 200, 40)).toEqual([
    [0, 20],
    [50, 0],
    [200, 40],
  ]);
});

test('handles one sample, no samples, and zeros', () => {
  expect(line([{ at: 7, value: 3 }], 200, 40)).toEqual([
    [0, 0],
    [200, 0],
  ]);
  expect(line([], 200, 40)).toEqual([]);
  expect(line([{ at: 0, value: 0 }], 200, 40)).toEqual([
    [0, 40],
    [200, 40],
  ]);
});
