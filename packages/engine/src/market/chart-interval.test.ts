import { describe, expect, test } from 'bun:test';
import {
  type ChartInterval,
  type DayStart,
  intervalAt,
  NEW_YORK_DAY,
  parseChartInterval,
  UTC_DAY,
} from './chart-interval.ts';
import { asEpochMs, DAY_MS, HOUR_MS } from './time.ts';

const at = (text: string) => asEpochMs(Date.parse(text));
const show = (time: number) => new Date(time).toISOString().slice(0, 16);
const bounds = (time: string, interval: string, day: DayStart) => {
  const { start, end } = intervalAt(at(time), parseChartInterval(interval)!, day);
  return [show(start), show(end)];
};
const zone = (name: string): DayStart => ({ zone: name, beforeMidnightMs: 0 });

describe('interval names', () => {
  test.each<[string, ChartInterval]>([
    ['1m', { unit: 'minute', minutes: 1 }],
    ['7m', { unit: 'minute', minutes: 7 }],
    ['90m', { unit: 'minute', minutes: 90 }],
    ['2h', { unit: 'minute', minutes: 120 }],
    ['24h', { unit: 'day' }],
    ['1440m', { unit: 'day' }],
    ['1d', { unit: 'day' }],
    ['1w', { unit: 'week' }],
    ['1M', { unit: 'month' }],
  ])('%s', (text, interval) => expect(parseChartInterval(text)).toEqual(interval));

  test.each(['', '0m', '1', 'm', '1441m', '25h', '2d', '2w', '2M', '1s', '01m', '1.5h', '-1m', '1mo', '1D'])(
    'refused: %p',
    (text) => expect(parseChartInterval(text)).toBeNull(),
  );
});

test.each([
  ['2026-11-15T10:07Z', '5m', UTC_DAY, '2026-11-15T10:05', '2026-11-15T10:10'],
  // 1,440 minutes are 205 intervals of 7 minutes and a shorter one.
  ['2026-11-15T23:58Z', '7m', UTC_DAY, '2026-11-15T23:55', '2026-11-16T00:00'],
  ['2026-11-15T10:07Z', '4h', UTC_DAY, '2026-11-15T08:00', '2026-11-15T12:00'],
  ['2026-11-15T10:07Z', '1d', UTC_DAY, '2026-11-15T00:00', '2026-11-16T00:00'],
  ['2026-11-15T10:07Z', '1w', UTC_DAY, '2026-11-09T00:00', '2026-11-16T00:00'],
  ['2026-11-30T23:59Z', '1M', UTC_DAY, '2026-11-01T00:00', '2026-12-01T00:00'],
  ['2024-02-29T12:00Z', '1M', UTC_DAY, '2024-02-01T00:00', '2024-03-01T00:00'],
  // 17:00 in New York is 22:00 UTC in winter and 21:00 in summer.
  ['2026-11-16T21:59Z', '1d', NEW_YORK_DAY, '2026-11-15T22:00', '2026-11-16T22:00'],
  ['2026-07-16T21:00Z', '1d', NEW_YORK_DAY, '2026-07-16T21:00', '2026-07-17T21:00'],
  ['2026-11-16T01:00Z', '4h', NEW_YORK_DAY, '2026-11-15T22:00', '2026-11-16T02:00'],
  // A week starts on Sunday at 17:00, a month at 17:00 of the day before the first.
  ['2026-11-15T22:00Z', '1w', NEW_YORK_DAY, '2026-11-15T22:00', '2026-11-22T22:00'],
  ['2026-11-15T21:59Z', '1w', NEW_YORK_DAY, '2026-11-08T22:00', '2026-11-15T22:00'],
  ['2026-11-15T21:59Z', '1M', NEW_YORK_DAY, '2026-10-31T21:00', '2026-11-30T22:00'],
  // The clocks went back on 2026-11-01: the day has 25 hours, and its last interval of 4 hours has one.
  ['2026-11-01T21:30Z', '1d', NEW_YORK_DAY, '2026-10-31T21:00', '2026-11-01T22:00'],
  ['2026-11-01T21:30Z', '4h', NEW_YORK_DAY, '2026-11-01T21:00', '2026-11-01T22:00'],
  ['2026-11-15T18:29Z', '1d', zone('Asia/Kolkata'), '2026-11-14T18:30', '2026-11-15T18:30'],
  // In Cairo the clocks go forward at midnight, so the day begins at 01:00.
  ['2026-04-23T23:00Z', '1d', zone('Africa/Cairo'), '2026-04-23T22:00', '2026-04-24T21:00'],
  ['2026-04-23T21:59Z', '1d', zone('Africa/Cairo'), '2026-04-22T22:00', '2026-04-23T22:00'],
  // And back at midnight, to 23:00 of the same day.
  ['2026-10-29T20:30Z', '1d', zone('Africa/Cairo'), '2026-10-28T21:00', '2026-10-29T22:00'],
  ['2026-10-29T21:30Z', '1d', zone('Africa/Cairo'), '2026-10-28T21:00', '2026-10-29T22:00'],
] as const)('%s in %s', (time, interval, day, start, end) => {
  expect(bounds(time, interval, day)).toEqual([start, end]);
});

describe.each([
  'UTC',
  'America/New_York',
  'Europe/London',
  'Asia/Kolkata',
  'Africa/Cairo',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
])('days of %s', (name) => {
  test.each(['7m', '45m', '4h', '1d', '1w', '1M'])('intervals of %s follow each other without a gap', (text) => {
    const interval = parseChartInterval(text)!;
    for (const day of [zone(name), { zone: name, beforeMidnightMs: 7 * HOUR_MS }]) {
      let { start, end } = intervalAt(at('2017-09-30T12:00Z'), interval, day);
      for (let count = 0; count < 800; count++) {
        expect(end).toBeGreaterThan(start);
        for (const inside of [start, end - 1])
          expect(intervalAt(asEpochMs(inside), interval, day)).toEqual({ start, end });
        const next = intervalAt(end, interval, day);
        expect(next.start).toBe(end);
        ({ start, end } = next);
        if (interval.unit === 'day') expect(end - start).toBeWithin(DAY_MS - 2 * HOUR_MS, DAY_MS + 2 * HOUR_MS);
      }
    }
  });
});
