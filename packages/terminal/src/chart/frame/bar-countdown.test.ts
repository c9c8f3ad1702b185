import { expect, test } from 'bun:test';
import { untilClose } from './bar-countdown.ts';

const barsOf = (interval: string, ...times: readonly string[]) => ({
  interval,
  candles: times.map((time) => ({
    ...{ time: Date.parse(time), open: 1, high: 1, low: 1, close: 1, volume: 0, bidVolume: 0, askVolume: 0 },
  })),
});
const now = Date.parse('2026-03-11T12:17:29.500Z');

test('counts down to the end of the newest bar, which may be short or as long as a month', () => {
  const newest = (interval: string, time: string): string => untilClose(barsOf(interval, time), now);
  expect(newest('5m', '2026-03-11T12:15:00Z')).toBe('2:31');
  expect(newest('4h', '2026-03-11T12:00:00Z')).toBe('3:42:31');
  expect(newest('1d', '2026-03-11T00:00:00Z')).toBe('11:42:31');
  expect(newest('1w', '2026-03-09T00:00:00Z')).toBe('4 d 11 h');
  expect(newest('1M', '2026-03-01T00:00:00Z')).toBe('20 d 11 h');
  // The last bar of 7 minutes of a day has 5.
  const late = Date.parse('2026-03-11T23:58:00Z');
  expect(untilClose(barsOf('7m', '2026-03-11T23:55:00Z'), late)).toBe('2:00');
});

test('says nothing of a bar that has closed, and nothing without bars', () => {
  expect(untilClose(barsOf('5m', '2026-03-11T12:05:00Z', '2026-03-11T12:10:00Z'), now)).toBe('');
  expect(untilClose(barsOf('5m'), now)).toBe('');
  expect(untilClose(null, now)).toBe('');
});
