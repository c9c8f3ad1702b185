import { describe, expect, test } from 'bun:test';
import { Attempts } from './attempts.ts';

const pace = { burst: 3, everyMs: 1_000 };

describe('attempts', () => {
  test('so many at once, then one after each pause', () => {
    const attempts = new Attempts(pace);
    expect([1, 2, 3].map(() => attempts.take('a', 0))).toEqual([0, 0, 0]);
    expect(attempts.take('a', 0)).toBe(1_000);
    expect(attempts.take('a', 400)).toBe(600);
    expect([attempts.take('a', 1_000), attempts.take('a', 1_000)]).toEqual([0, 1_000]);
  });

  test('who waits long enough may try as often as at first', () => {
    const attempts = new Attempts(pace);
    for (let count = 0; count < 3; count++) attempts.take('a', 0);
    expect([1, 2, 3, 4].map(() => attempts.take('a', 60_000))).toEqual([0, 0, 0, 1_000]);
  });

  test('each has its own', () => {
    const attempts = new Attempts({ burst: 1, everyMs: 1_000 });
    expect([attempts.take('a', 0), attempts.take('b', 0), attempts.take('a', 0)]).toEqual([0, 0, 1_000]);
  });

  test('one that is given back counts for nothing', () => {
    const attempts = new Attempts(pace);
    for (let count = 0; count < 50; count++) {
      expect(attempts.take('a', 0)).toBe(0);
      attempts.giveBack('a');
    }
    attempts.giveBack('never seen');
    expect([1, 2, 3, 4].map(() => attempts.take('a', 0))).toEqual([0, 0, 0, 1_000]);
  });

  test('a crowd is kept within bounds, and the latest are remembered', () => {
    const attempts = new Attempts({ burst: 1, everyMs: 1_000 });
    for (let who = 0; who < 30_000; who++) attempts.take(String(who), 0);
    expect([attempts.take('29999', 0), attempts.take('0', 0)]).toEqual([1_000, 0]);
  });
});
