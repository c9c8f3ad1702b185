import { expect, test } from 'bun:test';
import { barAt, type ChartNews, newsByBar, sentimentOf } from './bar-marks.ts';
import type { ChartCandle } from './chart-bars.ts';

const MINUTE = 60_000;
const candles = [10, 11, 20].map((minute): ChartCandle => {
  const prices = { open: 1, high: 1, low: 1, close: 1 };
  return { time: minute * MINUTE, ...prices, volume: 1, bidVolume: 0, askVolume: 0 };
});
const item = (minute: number, sentiment: ChartNews['sentiment'] = 'neutral'): ChartNews => ({
  title: `at ${minute}`,
  sentiment,
  timestamp: new Date(minute * MINUTE).toISOString(),
});

test('a time belongs to the bar that contains it, between bars to the next, after all bars to the last', () => {
  const at = (minute: number): number => barAt(candles, minute * MINUTE, MINUTE);
  expect([9, 10, 10.9, 11, 12, 19.9, 20, 25].map(at)).toEqual([-1, 0, 0, 1, 2, 2, 2, 2]);
  expect(barAt([], 0, MINUTE)).toBe(-1);
});

test('groups news by bar, without those before the first bar', () => {
  const byBar = newsByBar([item(25), item(10.5), item(3), item(10.2)], candles, MINUTE);
  expect([...byBar].map(([bar, items]) => [bar, items.map(({ title }) => title)])).toEqual([
    [0, ['at 10.5', 'at 10.2']],
    [2, ['at 25']],
  ]);
});

test('several headlines have the sentiment of their majority', () => {
  expect(sentimentOf([item(1, 'bullish'), item(1, 'neutral')])).toBe('bullish');
  expect(sentimentOf([item(1, 'bearish'), item(1, 'bearish'), item(1, 'bullish')])).toBe('bearish');
  expect(sentimentOf([item(1, 'bullish'), item(1, 'bearish')])).toBe('neutral');
});
