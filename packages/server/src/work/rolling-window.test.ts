import { describe, expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS as WINDOW_MS } from '@tickwire/engine';
import fc from 'fast-check';
import { RollingWindow } from './rolling-window.ts';

const T0 = 1_700_000_000_000;

describe('the rolling window', () => {
  test('allows the full limit in one burst, then the next request after exactly 60 seconds', () => {
    const minute = new RollingWindow(60);
    for (let index = 0; index < 60; index++) expect(minute.take(T0 + index)).toBe(true);
    expect(minute.take(T0 + 100)).toBe(false);
    expect(minute.resetMs(T0 + 100)).toBe(WINDOW_MS - 100);
    expect(minute.take(T0 + WINDOW_MS - 1)).toBe(false);
    expect(minute.take(T0 + WINDOW_MS)).toBe(true);
    expect(minute.take(T0 + WINDOW_MS)).toBe(false);
  });

  test('allows exactly the limit in any window of 60 seconds', () => {
    const steps = fc.array(fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 70_000 })), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), steps, (limit, list) => {
        const minute = new RollingWindow(limit);
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

  test('restores the counted requests after a restart', () => {
    const minute = new RollingWindow(5);
    for (let index = 0; index < 4; index++) minute.take(T0 + index * 1000);
    const restored = new RollingWindow(5, { saved: minute.saved(T0 + 4000) });
    expect(restored.remaining(T0 + 4000)).toBe(1);
    expect(restored.remaining(T0 + WINDOW_MS + 1500)).toBe(3);
  });

  test('after a restart the count is the same, and no request expires early or more than 250 ms late', () => {
    const gaps = fc.array(fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 5_000 })), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 0, max: 70_000 }), (list, later) => {
        const minute = new RollingWindow(1_000);
        let now = T0;
        for (const gap of list) {
          now += gap;
          minute.take(now);
        }
        const saved = minute.saved(now);
        const restored = new RollingWindow(1_000, { saved, now });
        expect(restored.remaining(now)).toBe(minute.remaining(now));
        expect(saved.length).toBeLessThanOrEqual(2 * (WINDOW_MS / 250 + 1));
        const left = restored.remaining(now + later);
        expect(left).toBeGreaterThanOrEqual(minute.remaining(now + later - 250));
        expect(left).toBeLessThanOrEqual(minute.remaining(now + later));
      }),
    );
  });

  test('blocks for at most a minute after the clock was set back', () => {
    const minute = new RollingWindow(3, { saved: [T0 + HOUR_MS, -2], now: T0 });
    expect(minute.take(T0 + 1)).toBe(false);
    expect(minute.take(T0 + WINDOW_MS)).toBe(true);
  });

  test('a limit of zero allows nothing', () => {
    const minute = new RollingWindow(0, { saved: [T0] });
    expect([minute.take(T0), minute.remaining(T0), minute.resetMs(T0)]).toEqual([false, 0, 0]);
  });

  test('keeps counted requests when the limit is lowered', () => {
    const minute = new RollingWindow(10);
    for (let index = 0; index < 8; index++) minute.take(T0);
    minute.resize(5, T0 + 1);
    expect(minute.take(T0 + 1)).toBe(false);
    minute.resize(10, T0 + 1);
    expect(minute.remaining(T0 + 1)).toBe(5);
  });
});
