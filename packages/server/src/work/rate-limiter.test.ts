import { expect, test } from 'bun:test';
import { RateLimiter } from './rate-limiter.ts';

test('allows the stated number in any window, by key', () => {
  const limiter = new RateLimiter({ limit: 2 });
  expect([1_000, 50_000, 55_000].map((now) => limiter.take('a', now))).toEqual([0, 0, 6_000]);
  expect([limiter.take('b', 55_000), limiter.remaining('b', 55_000), limiter.remaining('c', 55_000)]).toEqual([
    0, 1, 2,
  ]);
  expect([61_000, 61_001].map((now) => limiter.take('a', now))).toEqual([0, 48_999]);
  limiter.forget('a');
  expect(limiter.take('a', 61_001)).toBe(0);
});

test('a key may have a limit of its own, and a window may be longer', () => {
  const limiter = new RateLimiter({ limit: 1, windowMs: 100_000 });
  expect([limiter.take('a', 0, 2), limiter.take('a', 60_000, 2), limiter.take('a', 70_000, 2)]).toEqual([0, 0, 30_000]);
});

test('forgets keys after two windows', () => {
  const limiter = new RateLimiter({ limit: 20, maxKeys: 100_000 });
  for (let index = 0; index < 20_000; index++) limiter.take(`${index}`, 1_000_000);
  expect(limiter.size).toBe(20_000);
  for (let index = 20_000; index < 40_000; index++) limiter.take(`${index}`, 1_030_000);
  limiter.take('a', 1_060_000);
  limiter.take('a', 1_120_000);
  expect(limiter.size).toBe(1);
});

test('remembers a bounded number of keys, those used last', () => {
  const limiter = new RateLimiter({ limit: 1, maxKeys: 1_000 });
  for (let index = 0; index < 10_000; index++) limiter.take(`${index}`, 0);
  expect(limiter.size).toBeLessThanOrEqual(1_000);
  expect(limiter.take('9500', 1)).toBe(59_999);
  expect(limiter.take('1', 1)).toBe(0);
});
