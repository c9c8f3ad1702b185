import { expect, test } from 'bun:test';
import { RateLimits } from './rate-limits.ts';

test('allows the stated number of messages in any minute', () => {
  const limits = new RateLimits();
  expect([limits.take('a', 2, 1_000), limits.take('a', 2, 50_000), limits.take('a', 2, 55_000)]).toEqual([0, 0, 6_000]);
  expect(limits.take('b', 2, 55_000)).toBe(0);
  expect([limits.take('a', 2, 61_000), limits.take('a', 2, 61_001)]).toEqual([0, 48_999]);
  expect(limits.take('a', undefined, 61_001)).toBe(0);
});

test('forgets destinations after two minutes, without looking at all of them for each message', () => {
  const limits = new RateLimits();
  for (let index = 0; index < 20_000; index++) limits.take(`${index}`, 20, 1_000_000);
  expect(limits.size).toBe(20_000);
  const started = performance.now();
  for (let index = 20_000; index < 40_000; index++) limits.take(`${index}`, 20, 1_030_000);
  expect(performance.now() - started).toBeLessThan(1_000);
  limits.take('a', 20, 1_060_000);
  limits.take('a', 20, 1_120_000);
  expect(limits.size).toBe(1);
});
