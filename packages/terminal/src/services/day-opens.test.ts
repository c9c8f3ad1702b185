import { expect, test } from 'bun:test';
import { dayFigures, trailOf } from './day-opens.ts';

const MIDNIGHT = Date.parse('2024-05-12T00:00:00Z');
const QUARTER = 15 * 60_000;

const candle = (at: number, open: number) => ({
  time: MIDNIGHT + at * QUARTER,
  open,
  high: open + 1,
  low: open - 1,
  close: open + 0.5,
  volume: 1,
});

test('takes the day from the bars since midnight', () => {
  expect(dayFigures([candle(-1, 100), candle(0, 5), candle(1, 8), candle(2, 3)], MIDNIGHT, false)).toEqual({
    open: 5,
    high: 9,
    low: 2,
  });
});

test('the open is unknown if the bars start after midnight, unless there are no older ones', () => {
  expect(dayFigures([candle(2, 5)], MIDNIGHT, false)).toBeNull();
  expect(dayFigures([candle(2, 5)], MIDNIGHT, true)).toEqual({ open: 5, high: 6, low: 4 });
});

test('a market without bars today has no day', () => {
  expect(dayFigures([candle(-2, 5), candle(-1, 6)], MIDNIGHT, true)).toBeNull();
  expect(dayFigures([], MIDNIGHT, true)).toBeNull();
});

test('the trail has the close of each bar at its end, without the forming bar', () => {
  const bars = [-2, -1, 0].map((at) => ({ ...candle(at, at), time: new Date(MIDNIGHT + at * QUARTER).toISOString() }));
  expect(trailOf(bars, QUARTER, MIDNIGHT + 60_000)).toEqual([
    { time: MIDNIGHT - QUARTER, price: -1.5 },
    { time: MIDNIGHT, price: -0.5 },
  ]);
});
