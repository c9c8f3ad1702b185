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
    const again = new RollingMinute(5, minute.saved(T0 + 4000));
    expect(again.remaining(T0 + 4000)).toBe(1);
    expect(again.remaining(T0 + WINDOW_MS + 1500)).toBe(3);
  });

  test('after a restart as many count as before, and none is free before its time or long after it', () => {
    const gaps = fc.array(fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 5_000 })), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 0, max: 70_000 }), (list, later) => {
        const minute = new RollingMinute(1_000);
        let now = T0;
        for (const gap of list) {
          now += gap;
          minute.take(now);
        }
        const saved = minute.saved(now);
        const again = new RollingMinute(1_000, saved, now);
        expect(again.remaining(now)).toBe(minute.remaining(now));
        expect(saved.length).toBeLessThanOrEqual(2 * (WINDOW_MS / 250 + 1));
        const left = again.remaining(now + later);
        expect(left).toBeGreaterThanOrEqual(minute.remaining(now + later - 250));
        expect(left).toBeLessThanOrEqual(minute.remaining(now + later));
      }),
    );
  });

  test('a list of plain times, as it was saved before, still counts', () => {
    const minute = new RollingMinute(3, [T0, T0, T0 + 10]);
    expect(minute.remaining(T0 + 20)).toBe(0);
  });

  test('a clock that was set back blocks nobody for longer than a minute', () => {
    const minute = new RollingMinute(3, [T0 + 3_600_000, -2], T0);
    expect(minute.take(T0 + 1)).toBe(false);
    expect(minute.take(T0 + WINDOW_MS)).toBe(true);
  });

  test('a tier without requests gets none', () => {
    const minute = new RollingMinute(0, [T0]);
    expect([minute.take(T0), minute.remaining(T0), minute.resetMs(T0)]).toEqual([false, 0, 0]);
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
