import { expect, test } from 'bun:test';
import type { Alert } from '@tickwire/client';
import { latencyText, repeatText } from './alert-labels.ts';

test('writes a latency with the unit that fits', () => {
  expect([null, 23, 999, 4_200, 119_000, 720_000].map(latencyText)).toEqual([
    '–',
    '23 ms',
    '999 ms',
    '4.2 s',
    '119 s',
    '12 min',
  ]);
});

test('says how often an alert fires', () => {
  const text = (repeat: Alert['repeat'], interval: Alert['interval'], cooldown_seconds: number): string =>
    repeatText({ repeat, interval, cooldown_seconds });
  expect(text('once', null, 60)).toBe('Once');
  expect(text('once_per_bar', '1h', 0)).toBe('Once per 1h bar');
  expect(text('every_time', null, 600)).toBe('Every time, at least 10 min apart');
});
