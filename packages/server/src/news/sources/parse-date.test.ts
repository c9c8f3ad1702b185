import { describe, expect, test } from 'bun:test';
import { parseDate } from './parse-date.ts';

const iso = (text: string): string | null => {
  const time = parseDate(text);
  return time === null ? null : new Date(time).toISOString();
};

describe('dates of feeds', () => {
  test.each([
    ['Mon, 02 Mar 2026 15:04:05 GMT', '2026-03-02T15:04:05.000Z'],
    ['Mon, 2 Mar 2026 15:04:05 +0100', '2026-03-02T14:04:05.000Z'],
    ['02 Mar 26 15:04 EST', '2026-03-02T20:04:00.000Z'],
    ['Tue, 2 March 2026 15:04:05 -0330', '2026-03-02T18:34:05.000Z'],
    ['Monday, 02-Mar-26 15:04:05 UTC', '2026-03-02T15:04:05.000Z'],
    ['mer, 2 Sept. 2026 15:04:05 CEST', '2026-09-02T13:04:05.000Z'],
    ['Mon, 02 Mar 2026 15:04:05 GMT+0900', '2026-03-02T06:04:05.000Z'],
    ['Mon, 02 Mar 2026 15:04:05 +0000 (UTC)', '2026-03-02T15:04:05.000Z'],
    ['  Mon, 02 Mar 2026 15:04:05 Z\n', '2026-03-02T15:04:05.000Z'],
    ['2026-03-02T15:04:05Z', '2026-03-02T15:04:05.000Z'],
    ['2026-03-02T15:04:05.678901+05:30', '2026-03-02T09:34:05.678Z'],
    ['2026-03-02 15:04:05 UTC', '2026-03-02T15:04:05.000Z'],
    ['2026-03-02T15:04-0500', '2026-03-02T20:04:00.000Z'],
    ['2026-03-02T15:04:05+00:0', '2026-03-02T15:04:05.000Z'],
    ['2026-03-02T24:00:00Z', '2026-03-03T00:00:00.000Z'],
    // No zone: UTC. No time: midnight.
    ['2026-03-02T15:04:05', '2026-03-02T15:04:05.000Z'],
    ['Mon, 02 Mar 2026 15:04:05', '2026-03-02T15:04:05.000Z'],
    ['2026-03-02', '2026-03-02T00:00:00.000Z'],
    ['02 Mar 2026', '2026-03-02T00:00:00.000Z'],
  ])('parses %s', (text, expected) => {
    expect(iso(text)).toBe(expected);
  });

  test.each([
    '',
    'yesterday',
    'soon, 02 Foo 2026 15:04:05 GMT',
    'Mon, 30 Feb 2026 15:04:05 GMT',
    '2026-02-29T00:00:00Z',
    '2026-13-01',
    '2026-03-02T25:00:00Z',
    '2026-03-02T24:00:01Z',
    '2026-03-02T15:60:00Z',
    '2026-03-02T15:04:05+99:00',
    'Mon, 02 Mar 2026 15:04:05 XYZ',
    '0001-01-01T00:00:00Z',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    '9999-12-31T23:59:59Z',
    '1772463845',
    'Sat, Dec 31 2022 20:00:00 PM',
    `${' '.repeat(10)}Mon, ${'0'.repeat(1_000_000)}2 Mar 2026`,
    `Mon,${' '.repeat(58)}x`,
  ])('rejects %p', (text) => {
    const began = performance.now();
    expect(parseDate(text)).toBeNull();
    expect(performance.now() - began).toBeLessThan(100);
  });

  test('returns null for a missing date', () => {
    expect(parseDate(null)).toBeNull();
    expect(parseDate(undefined)).toBeNull();
  });
});
