import { describe, expect, test } from 'bun:test';
import { LINE_EXAMPLES, RESPONSE_EXAMPLES } from '../documents/examples.ts';
import { CalendarLine } from './ingest.ts';
import { CALENDAR_CURSOR, CalendarQuery, WindowQuery } from './schemas.ts';

const line = { title: 'CPI', country: 'US', time: '2026-03-11T12:30:00Z' };

describe('a pushed calendar event', () => {
  test('has a title, a country and a time', () => {
    expect(CalendarLine.safeParse(line).success).toBe(true);
    for (const name of Object.keys(line))
      expect(CalendarLine.safeParse({ ...line, [name]: undefined }).success).toBe(false);
  });

  test.each([
    [
      'time',
      ['2026-03-11', 1_773_232_200_000, '2026-03-11T14:30:00+02:00'],
      ['2026-03-11T12:30:00', '11.03.2026', '2026-02-30', 'soon', -1, 0, 1_773_232_200],
    ],
    ['country', ['US', 'eu'], ['USA', '', 'U1']],
    ['currency', ['USD', 'usdt'], ['US', 'DOLLAR', '']],
    ['impact', ['low', 'medium', 'high'], ['High', 'none', 1]],
    ['actual', ['2.1%', 2.1, null, ''], ['x'.repeat(65), true, {}]],
    ['status', ['scheduled', 'released', 'cancelled'], ['moved', '']],
    ['url', ['https://example.org/'], ['javascript:alert(1)', 'example']],
  ])('%s accepts %j and rejects %j', (name, accepted, rejected) => {
    for (const value of accepted) expect(CalendarLine.safeParse({ ...line, [name]: value }).success).toBe(true);
    for (const value of rejected) expect(CalendarLine.safeParse({ ...line, [name]: value }).success).toBe(false);
  });

  test('the example rejects exactly its invalid lines', () => {
    const lines = LINE_EXAMPLES.ingestCalendar ?? [];
    const refused = lines.flatMap((text, at) => (CalendarLine.safeParse(JSON.parse(text)).success ? [] : [at + 1]));
    const { accepted, rejected, rejected_count } = RESPONSE_EXAMPLES.ingestCalendar;
    expect(rejected.map((each) => each.line)).toEqual(refused);
    expect([accepted, rejected_count]).toEqual([lines.length - refused.length, refused.length]);
  });
});

test('queries have defaults, and lists in any letter case', () => {
  expect(CalendarQuery.parse({ country: 'us,eu', impact: 'high' })).toEqual({
    country: ['US', 'EU'],
    impact: ['high'],
    limit: 200,
  });
  expect(WindowQuery.parse({})).toEqual({ before: 2, after: 2 });
  expect(CALENDAR_CURSOR.test('1772409600000.cal_5f2c8e1a9b3d4076')).toBe(true);
});
