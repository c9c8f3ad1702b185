import { expect, test } from 'bun:test';
import { barsOf } from './quote-bars.ts';

test('has a bar for every interval, flat where no quote came', () => {
  const quotes = [
    { time: 10_200, bid: 5, size: 1 },
    { time: 10_900, bid: 7, size: 2 },
    { time: 13_100, bid: 6, size: 3 },
  ];
  const time = (second: number): string => `1970-01-01T00:00:${second}.000Z`;
  expect(barsOf(quotes, 1_000, 14_500)).toEqual([
    { time: time(10), open: 5, high: 7, low: 5, close: 7, volume: 3 },
    { time: time(11), open: 7, high: 7, low: 7, close: 7, volume: 0 },
    { time: time(12), open: 7, high: 7, low: 7, close: 7, volume: 0 },
    { time: time(13), open: 7, high: 7, low: 6, close: 6, volume: 3 },
    { time: time(14), open: 6, high: 6, low: 6, close: 6, volume: 0 },
  ]);
  expect(barsOf([], 1_000, 10_000)).toEqual([]);
});
