import { expect, test } from 'bun:test';
import { ChartBars } from '../bars/chart-bars.ts';
import { barStartAt, isTooLong, rangeOf } from './profile-range.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const bars = new ChartBars(
  '1h',
  Array.from({ length: 48 }, (_, hour) => ({
    time: new Date(10 * DAY + hour * HOUR).toISOString(),
    open: 1,
    high: 1,
    low: 1,
    close: 1,
    volume: 1,
  })),
);
const at = (hour: number): number => 10 * DAY + hour * HOUR;

test('the visible range has whole bars, and goes on while the newest bar is visible', () => {
  expect(rangeOf('view', bars, { from: 2.4, to: 9.7 }, undefined)).toEqual({ from: at(3), to: at(10) });
  expect(rangeOf('view', bars, { from: -5, to: 60 }, undefined)).toEqual({ from: at(0), to: null });
  expect(rangeOf('view', bars, { from: 60, to: 90 }, undefined)).toBeNull();
  expect(rangeOf('off', bars, { from: 0, to: 9 }, undefined)).toBeNull();
});

test('the session is the UTC day of the newest visible bar', () => {
  expect(rangeOf('day', bars, { from: 2, to: 20 }, undefined)).toEqual({ from: at(0), to: at(24) });
  expect(rangeOf('day', bars, { from: 2, to: 30 }, undefined)).toEqual({ from: at(24), to: null });
});

test('a fixed range includes its last bar', () => {
  expect(rangeOf('fixed', bars, { from: 2, to: 20 }, { from: at(5), to: at(7) })).toEqual({
    from: at(5),
    to: at(8),
  });
  expect(rangeOf('fixed', bars, { from: 2, to: 20 }, { from: at(5), to: null })).toEqual({ from: at(5), to: null });
  expect(rangeOf('fixed', bars, { from: 2, to: 20 }, undefined)).toBeNull();
});

test('the service adds up 31 days', () => {
  expect(isTooLong({ from: 0, to: 31 * DAY }, 0)).toBe(false);
  expect(isTooLong({ from: 0, to: null }, 32 * DAY)).toBe(true);
});

test('a chosen place belongs to the nearest bar', () => {
  expect(barStartAt(bars, at(3) + 0.4 * HOUR)).toBe(at(3));
  expect(barStartAt(bars, at(3) + 0.6 * HOUR)).toBe(at(4));
  expect(barStartAt(bars, at(-9))).toBe(at(0));
  expect(barStartAt(bars, at(99))).toBe(at(47));
  expect(barStartAt(null, at(1))).toBeNull();
});
