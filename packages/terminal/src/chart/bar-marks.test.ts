import { expect, test } from 'bun:test';
import { Absorptions, barAt, type ChartNews, newsByBar, sentimentOf } from './bar-marks.ts';
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

test('keeps the newest absorptions of a bounded number of instruments', () => {
  const seen = new Absorptions();
  for (let time = 0; time < 1_000; time++) seen.add('EURUSD', { time, side: 'buy' });
  expect(seen.of('EURUSD')).toHaveLength(200);
  expect(seen.of('EURUSD').at(-1)?.time).toBe(999);
  expect(seen.of('BTCUSD')).toEqual([]);
  for (let at = 0; at < 60; at++) seen.add(`S${at}`, { time: at, side: 'sell' });
  expect(seen.of('EURUSD')).toEqual([]);
  expect(seen.of('S59')).toHaveLength(1);
});
