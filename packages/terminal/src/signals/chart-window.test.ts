import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { intervalMsOf } from '../chart/bars/intervals.ts';
import { chartWindow, isStored, LEAST_TRADE_BARS } from './chart-window.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 1_440 * MINUTE;
const START = Date.UTC(2026, 2, 2, 10);

test('shows a short trade in bars of seconds, with some before and after it', () => {
  const times = { published: START, filled: START + SECOND, closed: START + 3 * MINUTE };
  const { interval, from, to } = chartWindow(times, START + DAY);
  expect([interval, isStored(interval)]).toEqual(['5s', false]);
  expect(from).toBeLessThanOrEqual(START - MINUTE);
  expect(to).toBeGreaterThanOrEqual(START + 3 * MINUTE + 30 * SECOND);
  // Without quotes in bars of a minute.
  expect(chartWindow(times, START + DAY, '1m').interval).toBe('1m');
});

test('cuts off a long wait before a short trade', () => {
  const filled = START + DAY;
  const { interval, from } = chartWindow({ published: START, filled, closed: filled + 30 * MINUTE }, START + 2 * DAY);
  expect([interval, isStored(interval)]).toEqual(['1m', true]);
  expect(from).toBe(filled - 15 * MINUTE);
});

test('gives any trade at least twenty bars, and fits into one response', () => {
  const minutes = (max: number) => fc.integer({ min: 0, max: max * 1_440 });
  fc.assert(
    fc.property(minutes(30), minutes(60), minutes(400), fc.boolean(), fc.boolean(), (wait, life, age, runs, filled) => {
      const at = filled ? START + wait * MINUTE : null;
      const end = (at ?? START) + life * MINUTE;
      const now = runs ? end : end + age * MINUTE;
      for (const shortest of ['1s', '1m']) {
        const times = { published: START, filled: at, closed: runs ? null : end };
        const { interval, from, to } = chartWindow(times, now, shortest);
        const barMs = intervalMsOf(interval);
        expect((to - from) / barMs).toBeLessThanOrEqual(500);
        const trade = end - (at ?? START);
        if (trade >= LEAST_TRADE_BARS * intervalMsOf(shortest))
          expect(trade / barMs).toBeGreaterThanOrEqual(LEAST_TRADE_BARS);
        expect(from).toBeLessThanOrEqual(at ?? START);
        expect(to).toBeGreaterThanOrEqual(end);
        expect([from % barMs, to % barMs]).toEqual([0, 0]);
      }
    }),
  );
});
