import { expect, test } from 'bun:test';
import type { OhlcvBar } from '@tickwire/client';
import { BarSeries, openOfDay } from './bar-series.ts';

const bar = (minute: number, close: number): OhlcvBar => ({
  time: new Date(minute * 60_000).toISOString(),
  open: 10,
  high: Math.max(10, close),
  low: Math.min(10, close),
  close,
  volume: 5,
});

test('a live price stretches the forming bar', () => {
  const series = new BarSeries('1m', [bar(1, 10), bar(2, 11)]);
  expect(series.move(12, 150_000, 2)).toBe(true);
  expect(series.move(9, 151_000, 1)).toBe(true);
  expect(series.candles.at(-1)).toEqual({ time: 120_000, open: 10, high: 12, low: 9, close: 9, volume: 8 });
});

test('the first price of the next interval begins a bar, aligned to UTC', () => {
  const series = new BarSeries('1m', [bar(2, 11)]);
  series.move(12, 185_000, 1);
  expect(series.candles.map((candle) => candle.time)).toEqual([120_000, 180_000]);
  expect(series.candles.at(-1)).toMatchObject({ open: 12, close: 12, volume: 1 });
});

test('a price older than the forming bar changes nothing', () => {
  const series = new BarSeries('1m', [bar(2, 11)]);
  expect(series.move(99, 119_999, 1)).toBe(false);
  expect(series.candles.at(-1)?.close).toBe(11);
});

test('a fresh tail replaces what live prices had guessed', () => {
  const series = new BarSeries('1m', [bar(1, 10), bar(2, 11)]);
  series.move(50, 190_000, 1);
  expect(series.join([bar(2, 12), bar(3, 13)])).toBe(true);
  expect(series.candles.map((candle) => candle.close)).toEqual([10, 12, 13]);
});

test('a tail that does not join on is refused, so that no hole appears in the chart', () => {
  const series = new BarSeries('1m', [bar(1, 10)]);
  expect(series.join([bar(7, 12)])).toBe(false);
  expect(series.candles).toHaveLength(1);
});

test("the day's open is that of the first bar from midnight on, if the bars reach back that far", () => {
  const { candles } = new BarSeries('1m', [bar(1, 10), { ...bar(5, 12), open: 11 }, bar(6, 13)]);
  expect(openOfDay(candles, 2 * 60_000)).toBe(11);
  expect(openOfDay(candles, 0)).toBeNull();
  expect(openOfDay(candles, 9 * 60_000)).toBeNull();
  expect(openOfDay([], 0)).toBeNull();
});
