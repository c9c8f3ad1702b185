import { expect, test } from 'bun:test';
import { preferences } from './preferences.ts';
import { age, clockOf, dateText, exactly, moment, untilText } from './relative-time.ts';

const now = Date.parse('2026-03-02T12:00:00.000Z');
const at = (ms: number): string => new Date(now + ms).toISOString();
const HOUR = 3_600_000;

test('writes the past in its largest unit, and as a date after a month', () => {
  const past = [0, -59_000, -60_000, -59 * 60_000, -HOUR, -25 * HOUR, -72 * HOUR, -40 * 24 * HOUR];
  expect(past.map((ms) => moment(at(ms), now))).toEqual([
    'just now',
    'just now',
    '1 min ago',
    '59 min ago',
    '1 h ago',
    '1 day ago',
    '3 days ago',
    '21 Jan 2026',
  ]);
});

test('rounds the future to the nearest unit', () => {
  const ahead = [30_000, 2 * HOUR, 24 * HOUR - 5_000, 7 * 24 * HOUR - 5_000];
  expect(ahead.map((ms) => moment(at(ms), now))).toEqual(['in 1 min', 'in 2 h', 'in 24 h', 'in 7 days']);
});

test('uses the chosen time zone, with daylight saving, and names it', () => {
  const told = (timeZone: string): readonly string[] => {
    preferences.set({ timeZone });
    return [exactly(now), exactly(Date.parse('2026-07-01T23:30:00Z')), clockOf(now), dateText(now + 14 * HOUR)];
  };
  try {
    expect(told('UTC')).toEqual(['2 Mar 2026, 12:00:00 UTC', '1 Jul 2026, 23:30:00 UTC', '12:00:00', '3 Mar 2026']);
    expect(told('Europe/Berlin')).toEqual([
      '2 Mar 2026, 13:00:00 CET',
      '2 Jul 2026, 01:30:00 CEST',
      '13:00:00',
      '3 Mar 2026',
    ]);
    expect(told('America/New_York')).toEqual([
      '2 Mar 2026, 07:00:00 GMT-5',
      '1 Jul 2026, 19:30:00 GMT-4',
      '07:00:00',
      '2 Mar 2026',
    ]);
  } finally {
    preferences.set({ timeZone: '' });
  }
});

test('writes an age in seconds, and never less than now', () => {
  expect([400, 0, -999, -1_000, -59_000, -61_000, -2 * HOUR].map((ms) => age(at(ms), now))).toEqual([
    'now',
    'now',
    'now',
    '1 s ago',
    '59 s ago',
    '1 min ago',
    '2 h ago',
  ]);
});

test('counts down in minutes and seconds, then with hours, then with days, and ends at zero', () => {
  const spans = [750_000, 749_001, 7_509_000, 48 * HOUR, 109 * HOUR + 1, 1, 0, -5];
  expect(spans.map(untilText)).toEqual(['12:30', '12:30', '2:05:09', '2 d 0 h', '4 d 13 h', '0:01', '0:00', '0:00']);
});
