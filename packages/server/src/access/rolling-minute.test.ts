import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { RollingMinute, WINDOW_MS } from './rolling-minute.ts';

const T0 = 1_700_000_000_000;

describe('the rolling minute', () => {
  test('the full number is usable in one burst, and the next waits for exactly sixty seconds', () => {
    const minute = new RollingMinute(60);
    for (let index = 0; index < 60; index++) expect(minute.take(T0 + index)).toBe(true);
    expect(minute.take(T0 + 100)).toBe(false);
    expect(minute.resetMs(T0 + 100)).toBe(WINDOW_MS - 100);
    expect(minute.take(T0 + WINDOW_MS - 1)).toBe(false);
    expect(minute.take(T0 + WINDOW_MS)).toBe(true);
    expect(minute.take(T0 + WINDOW_MS)).toBe(false);
  });

  test('no window of sixty seconds ever holds more than the limit, and nothing is refused without need', () => {
    const steps = fc.array(fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 70_000 })), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), steps, (limit, list) => {
        const minute = new RollingMinute(limit);
        const taken: number[] = [];
        let now = T0;
        for (const step of list) {
          now += step;
          const inWindow = taken.filter((time) => time > now - WINDOW_MS).length;
          expect(minute.remaining(now)).toBe(limit - inWindow);
          expect(minute.take(now)).toBe(inWindow < limit);
          if (inWindow < limit) taken.push(now);
        }
      }),
    );
  });

  test('after a restart the same times count', () => {
    const minute = new RollingMinute(5);
    for (let index = 0; index < 4; index++) minute.take(T0 + index * 1000);
    const again = new RollingMinute(5, minute.times(T0 + 4000));
    expect(again.remaining(T0 + 4000)).toBe(1);
    expect(again.remaining(T0 + WINDOW_MS + 1500)).toBe(3);
  });

  test('a lower tier keeps what was used', () => {
    const minute = new RollingMinute(10);
    for (let index = 0; index < 8; index++) minute.take(T0);
    minute.resize(5, T0 + 1);
    expect(minute.take(T0 + 1)).toBe(false);
    minute.resize(10, T0 + 1);
    expect(minute.remaining(T0 + 1)).toBe(5);
  });
});
