import { expect, test } from 'bun:test';
import type { ChartCandle } from './chart-bars.ts';
import { type HeikinAshi, heikinAshi, updateHeikinAshi } from './heikin-ashi.ts';

const candle = (open: number, high: number, low: number, close: number): ChartCandle => ({
  ...{ time: 0, open, high, low, close },
  ...{ volume: 1, bidVolume: 0, askVolume: 0 },
});

test('the first candle starts in the middle of its body, the next in the middle of the one before', () => {
  const first = heikinAshi(candle(10, 14, 8, 12), null);
  expect(first).toEqual({ open: 11, high: 14, low: 8, close: 11 });
  // It opens at (11 + 11) / 2 = 11, below its own low.
  expect(heikinAshi(candle(13, 16, 12, 15), first)).toEqual({ open: 11, high: 16, low: 11, close: 14 });
});

test('a changed bar changes all later candles, and no earlier one', () => {
  const candles = [candle(10, 14, 8, 12), candle(13, 16, 12, 15), candle(15, 15, 11, 11)];
  const made: HeikinAshi[] = [];
  updateHeikinAshi(made, candles, 0);
  const [first] = made;
  candles[1] = candle(13, 20, 12, 20);
  updateHeikinAshi(made, candles, 1);
  const whole: HeikinAshi[] = [];
  updateHeikinAshi(whole, candles, 0);
  expect(made).toEqual(whole);
  expect(made[0]).toBe(first!);
});
