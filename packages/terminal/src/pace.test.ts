import { expect, test } from 'bun:test';
import { historyEveryMs, mayFillIn, SESSION_EVERY_MS } from './pace.ts';

const left = (remaining: number) => ({ limit: 60, remaining, resetSeconds: 1 });

test('at rest the terminal uses less than a quarter of the Free allowance', () => {
  const perMinute = 60_000 / historyEveryMs(left(60)) + 60_000 / SESSION_EVERY_MS;
  expect(perMinute).toBeLessThan(60 / 4);
});

test('the less is left, the longer the terminal waits', () => {
  expect([60, 20, 3].map((remaining) => historyEveryMs(left(remaining)))).toEqual([10_000, 30_000, 60_000]);
});

test('what can wait never touches the lower half of the allowance', () => {
  expect([31, 30, 0].map((remaining) => mayFillIn(left(remaining)))).toEqual([true, false, false]);
  expect(mayFillIn(null)).toBe(false);
});
