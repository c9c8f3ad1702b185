import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { pictureWindow } from './picture-window.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 2, 2, 10);

test('a short life is seen in minutes, with some of what came before', () => {
  const { timeframe, from, to } = pictureWindow(START, START + 12 * MINUTE, START + 60 * MINUTE);
  expect(timeframe).toBe('1m');
  expect(from).toBeLessThanOrEqual(START - 10 * MINUTE);
  expect(to).toBeGreaterThanOrEqual(START + 14 * MINUTE);
});

test('any life fits, whole, in one answer', () => {
  // The rules give it 30 days, and an outage may add to them.
  const day = 1_440;
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 60 * day }),
      fc.integer({ min: 0, max: 400 * day }),
      fc.boolean(),
      (life, age, runs) => {
        const end = START + life * MINUTE;
        const now = runs ? end : end + age * MINUTE;
        const seen = pictureWindow(START, runs ? null : end, now);
        expect((seen.to - seen.from) / seen.barMs).toBeLessThanOrEqual(500);
        expect(seen.from).toBeLessThan(START);
        expect(seen.to).toBeGreaterThanOrEqual(runs ? now : end);
        expect([seen.from % seen.barMs, seen.to % seen.barMs]).toEqual([0, 0]);
      },
    ),
  );
});
