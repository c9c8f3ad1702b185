import { describe, expect, test } from 'bun:test';
import { BurstLimiter } from './burst-limiter.ts';

const limit = { burst: 3, everyMs: 1_000 };

describe('the burst limiter', () => {
  test('allows a burst, then one attempt per interval', () => {
    const attempts = new BurstLimiter(limit);
    expect([1, 2, 3].map(() => attempts.take('a', 0))).toEqual([0, 0, 0]);
    expect(attempts.take('a', 0)).toBe(1_000);
    expect(attempts.take('a', 400)).toBe(600);
    expect([attempts.take('a', 1_000), attempts.take('a', 1_000)]).toEqual([0, 1_000]);
  });

  test('allows the full burst again after a long pause', () => {
    const attempts = new BurstLimiter(limit);
    for (let count = 0; count < 3; count++) attempts.take('a', 0);
    expect([1, 2, 3, 4].map(() => attempts.take('a', 60_000))).toEqual([0, 0, 0, 1_000]);
  });

  test('counts each key separately', () => {
    const attempts = new BurstLimiter({ burst: 1, everyMs: 1_000 });
    expect([attempts.take('a', 0), attempts.take('b', 0), attempts.take('a', 0)]).toEqual([0, 0, 1_000]);
  });

  test('does not count an attempt that was given back', () => {
    const attempts = new BurstLimiter(limit);
    for (let count = 0; count < 50; count++) {
      expect(attempts.take('a', 0)).toBe(0);
      attempts.giveBack('a');
    }
    attempts.giveBack('never seen');
    expect([1, 2, 3, 4].map(() => attempts.take('a', 0))).toEqual([0, 0, 0, 1_000]);
  });

  test('keeps a bounded number of keys, the most recent ones', () => {
    const attempts = new BurstLimiter({ burst: 1, everyMs: 1_000 });
    for (let who = 0; who < 60_000; who++) attempts.take(String(who), 0);
    expect([attempts.take('59999', 0), attempts.take('0', 0)]).toEqual([1_000, 0]);
  });
});
