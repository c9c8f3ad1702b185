import { expect, test } from 'bun:test';
import { historyEveryMs, mayFillIn, SESSION_EVERY_MS } from './request-pacing.ts';

const left = (remaining: number) => ({ limit: 60, remaining, resetSeconds: 1 });

test('an idle terminal uses less than a tenth of the free allowance', () => {
  const perMinute = 60_000 / historyEveryMs(left(60)) + 60_000 / SESSION_EVERY_MS;
  expect(perMinute).toBeLessThan(60 / 10);
});

test('waits longer as the allowance shrinks', () => {
  expect([60, 20].map((remaining) => historyEveryMs(left(remaining)))).toEqual([30_000, 60_000]);
});

test('background requests never use the second half of the allowance', () => {
  expect([31, 30, 0].map((remaining) => mayFillIn(left(remaining)))).toEqual([true, false, false]);
  expect(mayFillIn(null)).toBe(false);
});
