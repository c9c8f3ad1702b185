import { expect, test } from 'bun:test';
import { TIMEFRAME_MS, TIMEFRAMES } from '@tickwire/contract/timeframes.ts';
import fc from 'fast-check';
import { barEnd, barStart, INTERVALS, intervalMsOf, intervalText, readInterval } from './intervals.ts';

test('every offered interval is in its shortest form', () => {
  expect(INTERVALS.map(readInterval)).toEqual(INTERVALS);
});

test('an interval is read as it is typed', () => {
  const typed = ['7m', '7', ' 90 min', '60m', '24h', '1440', '1D', '1W', '1M', '4h'];
  expect(typed.map(readInterval)).toEqual(['7m', '7m', '90m', '1h', '1d', '1d', '1d', '1w', '1M', '4h']);
});

test('intervals that the service does not have are refused', () => {
  for (const text of ['', '0m', '2d', '2w', '3M', '25h', '1441m', '-5m', '1.5h', 'x', '5s', 5, null])
    expect([text, readInterval(text)]).toEqual([text, null]);
});

test('bars of the stored timeframes start where the service starts them', () => {
  fc.assert(
    fc.property(fc.nat({ max: 4e12 }), fc.constantFrom(...TIMEFRAMES), (time, timeframe) => {
      const length = TIMEFRAME_MS[timeframe];
      expect([intervalMsOf(timeframe), barStart(timeframe, time)]).toEqual([
        length,
        Math.floor(time / length) * length,
      ]);
    }),
  );
});

test('other bars count from midnight, weeks from Monday, months from the first day', () => {
  const time = Date.parse('2026-11-18T23:59:59.999Z');
  const start = (interval: string): string => new Date(barStart(interval, time)).toISOString();
  // 205 × 7 minutes after midnight: the last bar of the day has 5 minutes.
  expect(start('7m')).toBe('2026-11-18T23:55:00.000Z');
  expect(start('45m')).toBe('2026-11-18T23:15:00.000Z');
  expect(start('1w')).toBe('2026-11-16T00:00:00.000Z');
  expect(start('1M')).toBe('2026-11-01T00:00:00.000Z');
});

test('bars of seconds, which are made of quotes, have a length and a start', () => {
  expect([intervalMsOf('5s'), barStart('5s', Date.parse('2026-11-18T10:00:59.999Z'))]).toEqual([
    5_000,
    Date.parse('2026-11-18T10:00:55.000Z'),
  ]);
});

test('intervals have words', () => {
  expect(['5s', '1m', '45m', '1h', '12h', '1d', '1w', '1M'].map(intervalText)).toEqual([
    '5 seconds',
    '1 minute',
    '45 minutes',
    '1 hour',
    '12 hours',
    '1 day',
    '1 week',
    '1 month',
  ]);
});

test('a bar ends where the next one starts', () => {
  fc.assert(
    fc.property(fc.nat({ max: 4e12 }), fc.constantFrom(...INTERVALS, '7m', '90m'), (time, interval) => {
      const end = barEnd(interval, time);
      expect(end).toBeGreaterThan(time);
      expect([barStart(interval, end), barStart(interval, end - 1)]).toEqual([end, barStart(interval, time)]);
    }),
  );
});
