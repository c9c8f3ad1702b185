import { expect, test } from 'bun:test';
import { backoffMs, FIRST_CEILING_MS, MAX_CEILING_MS } from './backoff.ts';

const almostOne = () => 1 - Number.EPSILON;

test('doubles the ceiling with every attempt up to the cap', () => {
  const ceilings = [0, 1, 2, 3, 6, 7].map((attempt) => backoffMs(attempt, () => 0.5) * 2);
  expect(ceilings).toEqual([500, 1_000, 2_000, 4_000, 30_000, 30_000]);
});

test('waits between 0 and the ceiling', () => {
  expect(backoffMs(4, () => 0)).toBe(0);
  expect(backoffMs(0, almostOne)).toBeLessThan(FIRST_CEILING_MS);
});

test('never exceeds the cap', () => {
  for (const attempt of [10, 100, 1_023, 5_000]) {
    expect(backoffMs(attempt, almostOne)).toBeLessThan(MAX_CEILING_MS);
  }
});
