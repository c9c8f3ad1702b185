// Times in query strings.
import { expect, test } from 'bun:test';
import { parseInstant } from './values.ts';

const JANUARY_5 = Date.UTC(2026, 0, 5);

test.each([
  ['2026-01-05', JANUARY_5],
  ['20260105', JANUARY_5],
  ['2026-01', Date.UTC(2026, 0, 1)],
  ['2024-02-29', Date.UTC(2024, 1, 29)],
  ['2026-01-05T14:30', JANUARY_5 + 870 * 60_000],
  ['2026-01-05 14:30:15.250', JANUARY_5 + 870 * 60_000 + 15_250],
  ['20260105T14:30Z', JANUARY_5 + 870 * 60_000],
  ['2026-01-05T14:30:00+02:00', JANUARY_5 + 750 * 60_000],
  ['1767571200', JANUARY_5],
  ['1767571200000', JANUARY_5],
  ['100000000', 100_000_000_000],
  ['1970-01-01', 0],
])('%s is a time', (text, time) => {
  expect(parseInstant(text)).toBe(time);
});

test.each([
  ...[
    '2026',
    '5',
    '0',
    '99999999',
    '20261301',
    '20260230',
    '2026-02-30',
    '2026-06-31',
    '2026-13',
    '2026-00-10',
    '2025-02-29',
  ],
  ...[
    '2026-1-5',
    '2026-0105',
    '202601-05',
    '2026-01-05T25:00',
    '2026-01T10:00',
    '2026-01-05T10:00:00x',
    '-1',
    '1e9',
    'today',
    '',
  ],
])('%s is refused', (text) => {
  expect(parseInstant(text)).toBeNull();
});
