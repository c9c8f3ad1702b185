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
    // No space after the weekday; asctime, also with a zone; the texts of JavaScript, Java and Go.
    ['Fri,24 Nov 2023', '2023-11-24T00:00:00.000Z'],
    ['Fri,24 Nov 2023 10:00:00 GMT', '2023-11-24T10:00:00.000Z'],
    ['Fri Nov  3 10:00:00 2023', '2023-11-03T10:00:00.000Z'],
    ['Fri Nov 24 10:00:00 EST 2023', '2023-11-24T15:00:00.000Z'],
    ['Fri Nov 24 10:00:00 +0100 2023', '2023-11-24T09:00:00.000Z'],
    ['Fri Nov 24 2023 10:00:00 GMT+0100 (Central European Standard Time)', '2023-11-24T09:00:00.000Z'],
    ['2023-11-24 10:00:00.123456789 +0100 CET', '2023-11-24T09:00:00.123Z'],
    ['2023-11-24T10:00:00+01:00[Europe/Berlin]', '2023-11-24T09:00:00.000Z'],
    ['2023-11-24T10:00:00\u221205:00', '2023-11-24T15:00:00.000Z'],
    ['20231124T100000Z', '2023-11-24T10:00:00.000Z'],
    ['2023/11/24 10:00', '2023-11-24T10:00:00.000Z'],
    // US style.
    ['Nov 24, 2023 10:00 AM ET', '2023-11-24T15:00:00.000Z'],
    ['Friday, November 24th, 2023 at 12:30 a.m. EST', '2023-11-24T05:30:00.000Z'],
    ['Sat, Dec 16 2023 02:02:33 PM', '2023-12-16T14:02:33.000Z'],
    // US zones: standard or daylight time, whichever holds at the date.
    ['Fri, 24 Nov 2023 10:00:00 ET', '2023-11-24T15:00:00.000Z'],
    ['Wed, 05 Jul 2023 10:00:00 ET', '2023-07-05T14:00:00.000Z'],
    ['Fri, 24 Nov 2023 10:00:00 CT', '2023-11-24T16:00:00.000Z'],
    ['Wed, 05 Jul 2023 10:00:00 CT', '2023-07-05T15:00:00.000Z'],
    ['Fri, 24 Nov 2023 10:00:00 MT', '2023-11-24T17:00:00.000Z'],
    ['Wed, 05 Jul 2023 10:00:00 MT', '2023-07-05T16:00:00.000Z'],
    ['Fri, 24 Nov 2023 10:00:00 PT', '2023-11-24T18:00:00.000Z'],
    ['Wed, 05 Jul 2023 10:00:00 PT', '2023-07-05T17:00:00.000Z'],
    ['Fri, 24 Nov 2023 10:00:00 (ET)', '2023-11-24T15:00:00.000Z'],
    // In 1995 daylight time began in April, today in March.
    ['Wed, 15 Mar 1995 10:00:00 ET', '1995-03-15T15:00:00.000Z'],
    ['Wed, 15 Mar 2023 10:00:00 ET', '2023-03-15T14:00:00.000Z'],
    // The hours around a change of the clock.
    ['Sun, 12 Mar 2023 01:59:59 ET', '2023-03-12T06:59:59.000Z'],
    ['Sun, 12 Mar 2023 03:00:00 ET', '2023-03-12T07:00:00.000Z'],
    ['Sun, 05 Nov 2023 00:59:59 ET', '2023-11-05T04:59:59.000Z'],
    ['Sun, 05 Nov 2023 02:00:00 ET', '2023-11-05T07:00:00.000Z'],
    // Names with a fixed meaning keep it in summer and winter.
    ['Wed, 05 Jul 2023 10:00:00 EST', '2023-07-05T15:00:00.000Z'],
    ['Wed, 05 Jul 2023 10:00:00 MET', '2023-07-05T09:00:00.000Z'],
    ['Wed, 05 Jul 2023 10:00:00 MEST', '2023-07-05T08:00:00.000Z'],
    ['Wed, 05 Jul 2023 10:00:00 MESZ', '2023-07-05T08:00:00.000Z'],
    ['Fri, 24 Nov 2023 10:00:00 AKST', '2023-11-24T19:00:00.000Z'],
    ['Fri, 24 Nov 2023 10:00:00 ACDT', '2023-11-23T23:30:00.000Z'],
    ['Fri, 24 Nov 2023 10:00:00 UTC+2', '2023-11-24T08:00:00.000Z'],
    ['Fri, 24 Nov 2023 10:00:00 -0000', '2023-11-24T10:00:00.000Z'],
    // Months in other languages.
    ['vendredi 24 novembre 2023 10:00 +0100', '2023-11-24T09:00:00.000Z'],
    ['Fr., 1. März 2024 10:00:00 MEZ', '2024-03-01T09:00:00.000Z'],
    ['sexta-feira, 24 de novembro de 2023 10:00 -0300', '2023-11-24T13:00:00.000Z'],
    ['пятница, 24 ноября 2023 10:00 +0300', '2023-11-24T07:00:00.000Z'],
    ['2 marraskuuta 2023', '2023-11-02T00:00:00.000Z'],
    // Only one of the two numbers can be the month, or both are the same.
    ['24/11/2023 10:00', '2023-11-24T10:00:00.000Z'],
    ['11/24/2023 10:00', '2023-11-24T10:00:00.000Z'],
    ['\u200e24\u200e.\u200e11\u200e.\u200e2023 10:00 MEZ', '2023-11-24T09:00:00.000Z'],
    ['05/05/2023', '2023-05-05T00:00:00.000Z'],
    // A leap second.
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['29 Feb 24', '2024-02-29T00:00:00.000Z'],
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
    // Day and month in an unknown order; a year of two digits among numbers.
    '05/06/2023 10:00:00 GMT',
    '05.06.2023',
    '24-11-23',
    '2023-24-11',
    // No day.
    '2023-11',
    '2023',
    'Nov 2023',
    // October in Croatian, November in Polish. November in Finnish begins like March, but has no such abbreviation.
    '2 listopada 2023',
    '2 marra 2023',
    // Skipped and repeated by a change of the clock.
    'Sun, 12 Mar 2023 02:30:00 ET',
    'Sun, 05 Nov 2023 01:30:00 ET',
    // Several meanings, or none.
    'Fri, 24 Nov 2023 10:00:00 IST',
    'Fri, 24 Nov 2023 10:00:00 A',
    'Fri, 24 Nov 2023 10:00:00 (Eastern)',
    'Fri, 24 Nov 2023 10:00:00 EST PM',
    'Fri, 24 Nov 2023 10:00:00 +0100 PM',
    'Fri, 24 Nov 2023 0:30 PM',
    'Fri, 24 Nov 2023 10:00:00 +0199',
    'Fri, 24 Nov 2023 10:00:00 -1230',
    'Fri, 24 Nov 2023 10:00:00 +1430',
    'Fri, 24 Nov 2023 10:00:00 constructor',
    '24 constructor 2023',
    '24 Nov 123 10:00:00 GMT',
    '29 Feb 1900',
    `1 a 2020${' '.repeat(90)}x`,
    `a 1${' '.repeat(95)}x`,
    `${' '.repeat(10)}Mon, ${'0'.repeat(1_000_000)}2 Mar 2026`,
    `Mon,${' '.repeat(58)}x`,
  ])('rejects %p', (text) => {
    expect(parseDate(text)).toBeNull();
  });

  test('returns null for a missing date', () => {
    expect(parseDate(null)).toBeNull();
    expect(parseDate(undefined)).toBeNull();
  });
});
