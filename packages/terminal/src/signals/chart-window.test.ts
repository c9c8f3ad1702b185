import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { chartWindow } from './chart-window.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 2, 2, 10);

test('shows a short lifetime in minutes, with some bars before it', () => {
  const { timeframe, from, to } = chartWindow(START, START + 12 * MINUTE, START + 60 * MINUTE);
  expect(timeframe).toBe('1m');
  expect(from).toBeLessThanOrEqual(START - 10 * MINUTE);
  expect(to).toBeGreaterThanOrEqual(START + 14 * MINUTE);
});

test('fits any lifetime into one response', () => {
  // The rules allow 30 days, and an outage may add to them.
  const day = 1_440;
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 60 * day }),
      fc.integer({ min: 0, max: 400 * day }),
      fc.boolean(),
      (life, age, runs) => {
        const end = START + life * MINUTE;
        const now = runs ? end : end + age * MINUTE;
        const seen = chartWindow(START, runs ? null : end, now);
        expect((seen.to - seen.from) / seen.barMs).toBeLessThanOrEqual(500);
        expect(seen.from).toBeLessThan(START);
        expect(seen.to).toBeGreaterThanOrEqual(runs ? now : end);
        expect([seen.from % seen.barMs, seen.to % seen.barMs]).toEqual([0, 0]);
      },
    ),
  );
});
