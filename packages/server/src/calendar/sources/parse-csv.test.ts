import { describe, expect, test } from 'bun:test';
import { parseCsv } from './parse-csv.ts';
import type { ParsedCalendar } from './parsed-calendar.ts';

const parse = (text: string, timezone = 'UTC'): Extract<ParsedCalendar, { ok: true }> => {
  const parsed = parseCsv(text, timezone);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed;
};

describe('a CSV calendar', () => {
  test('has events with all their columns', () => {
    const { events } = parse(
      'id,time,title,country,currency,impact,actual,forecast,previous,unit,url,status\n' +
        'a,2026-03-06T13:30:00Z,"Jobs, ""total""",us,usd,High,,160,143,K,https://example.org/a,scheduled\n',
    );
    expect(events).toEqual([
      {
        uid: 'a',
        title: 'Jobs, "total"',
        country: 'US',
        currency: 'USD',
        impact: 'high',
        time: Date.UTC(2026, 2, 6, 13, 30),
        allDay: false,
        status: 'scheduled',
        actual: null,
        forecast: '160',
        previous: '143',
        unit: 'K',
        url: 'https://example.org/a',
      },
    ]);
  });

  test('can have date and time apart, in twelve hours, separated by semicolons, in a time zone', () => {
    const { events, skipped } = parse(
      '\uFEFFDate;Time;Currency;Impact;Event\r\n2026-03-06;8:30am;USD;3;Jobs\r\n2026-03-11;8:30 AM;USD;2;Prices\r\n2026-03-12;All Day;JPY;Holiday;"Holi\nday"\r\n',
      'America/New_York',
    );
    expect(skipped).toEqual([]);
    expect(
      events.map(({ time, allDay, impact, title }) => [new Date(time).toISOString(), allDay, impact, title]),
    ).toEqual([
      ['2026-03-06T13:30:00.000Z', false, 'high', 'Jobs'],
      ['2026-03-11T12:30:00.000Z', false, 'medium', 'Prices'],
      ['2026-03-12T00:00:00.000Z', true, 'low', 'Holi\nday'],
    ]);
  });

  test('of ForexFactory has currencies as countries, and the month first', () => {
    const { events, skipped } = parse(
      'Title,Country,Date,Time,Impact,Forecast,Previous,URL\n' +
        'Core CPI m/m,USD,11-12-2026,1:30pm,High,0.3%,0.2%,https://www.forexfactory.com/calendar/1\n' +
        'Bank Holiday,JPY,11-03-2026,All Day,Holiday,,,\nOPEC Meetings,All,11-30-2026,Tentative,Medium,,,\n',
    );
    expect(skipped).toEqual([]);
    expect(
      events.map(({ title, time, allDay, country, currency, impact }) => [
        title,
        new Date(time).toISOString(),
        allDay,
        country,
        currency,
        impact,
      ]),
    ).toEqual([
      ['Core CPI m/m', '2026-11-12T13:30:00.000Z', false, null, 'USD', 'high'],
      ['Bank Holiday', '2026-11-03T00:00:00.000Z', true, null, 'JPY', 'low'],
      ['OPEC Meetings', '2026-11-30T00:00:00.000Z', true, null, null, 'medium'],
    ]);
  });

  test('says of each line that cannot be read why', () => {
    const { events, skipped } = parse(
      'time,title,country,impact\n03/06/2026,A,US,high\n2026-02-30,B,US,high\n2026-03-06,,US,high\n2026-03-06,D,USA,high\n2026-03-06,E,US,huge\n\n2026-03-06T25:00Z,F,US,low\n2026-03-06,G,US,low\n',
    );
    expect(events.map(({ title, allDay }) => [title, allDay])).toEqual([['G', true]]);
    expect(skipped.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 8]);
    expect(skipped[0]!.reason).toBe(
      '"03/06/2026" is not a time such as 2026-03-06T13:30:00Z, or a date such as 2026-03-06',
    );
    expect(skipped[3]!.reason).toBe('country "USA" is not a code such as US');
  });

  test.each(['', 'a,b\n1,2\n', 'title\nx\n'])('without the needed columns is a failure: %p', (text) => {
    expect(parseCsv(text, 'UTC').ok).toBe(false);
  });
});
