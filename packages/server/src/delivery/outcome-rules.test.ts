import { expect, test } from 'bun:test';
import { DAY_MS } from '@tickwire/engine';
import { isGivenUp, retryDelayMs } from './outcome-rules.ts';

test('a destination may ask for a shorter delay a few times, and for a longer one always', () => {
  expect([1, 2, 3, 4, 5, 20].map((failures) => retryDelayMs(failures, 1_000))).toEqual([
    1_000, 1_000, 1_000, 8_000, 16_000, 900_000,
  ]);
  expect([1, 20].map((failures) => retryDelayMs(failures, 3_600_000))).toEqual([3_600_000, 3_600_000]);
  expect(retryDelayMs(1, 5)).toBe(1_000);
  expect(retryDelayMs(1, 64_570.3)).toBe(64_571);
  expect(retryDelayMs(1, 99 * DAY_MS)).toBe(DAY_MS);
});

test('a message is given up a day after it was due, but not at one of its first attempts', () => {
  const message = { notBefore: 1_000, attempts: 7 };
  expect([isGivenUp(message, 1_000 + DAY_MS - 1), isGivenUp(message, 1_000 + DAY_MS)]).toEqual([false, true]);
  expect(isGivenUp({ ...message, attempts: 6 }, 1_000 + 30 * DAY_MS)).toBe(false);
});
