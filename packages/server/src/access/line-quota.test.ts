import { describe, expect, test } from 'bun:test';
import { MINUTE_MS } from '@tickwire/engine';
import { LineQuota, REFUSED_BYTES } from './line-quota.ts';

const T0 = 1_700_000_000_000;

describe('the quota of pushed lines', () => {
  test('rejects lines over the limit with the time to wait', () => {
    const quota = new LineQuota(100);
    quota.take(60, T0);
    expect(() => quota.take(41, T0 + 10_000)).toThrow(
      'An account may push 100 lines in 60 seconds. Try again in 50 s.',
    );
    quota.take(40, T0 + 10_000);
    expect(() => quota.check(1, T0 + 10_000)).toThrow('Try again in 50 s.');
    quota.take(60, T0 + MINUTE_MS);
  });

  test('does not ask to wait for lines that never fit', () => {
    const quota = new LineQuota(100);
    expect(() => quota.check(101, T0)).toThrow(
      'An account may push 100 lines in 60 seconds. This request has more: send fewer lines at a time.',
    );
  });

  test('refused lines have a limit of the same size, and leave accepted lines as they are', () => {
    const quota = new LineQuota(100);
    quota.refuse(99, 99, T0);
    quota.take(100, T0);
    quota.refuse(1, 1, T0 + 10_000);
    expect(() => quota.check(0, T0 + 10_000)).toThrow('Too many lines were refused. Try again in 50 s.');
    quota.take(100, T0 + MINUTE_MS);
  });

  test('refused bytes count as well, however few lines they have', () => {
    const quota = new LineQuota(1_000);
    for (let count = 0; count < 19; count++) quota.refuse(1, REFUSED_BYTES / 20, T0);
    quota.check(0, T0);
    quota.refuse(0, REFUSED_BYTES / 20, T0);
    expect(() => quota.check(0, T0)).toThrow('Too many lines were refused.');
  });
});
