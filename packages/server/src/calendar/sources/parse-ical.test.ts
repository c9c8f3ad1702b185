import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { DAY_MS } from '@tickwire/engine';
import { toUtc, zoneNamed } from './local-time.ts';
import { parseIcal } from './parse-ical.ts';
import { MAX_DOCUMENT_EVENTS, type ParsedCalendar, type ParsedEvent } from './parsed-calendar.ts';

const NOW = Date.UTC(2026, 2, 2);
const parse = (text: string, timezone = 'UTC'): Extract<ParsedCalendar, { ok: true }> => {
  const parsed = parseIcal(text, timezone, NOW);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed;
};
const recorded = (name: string): string =>
  readFileSync(new URL(`../../../testing/calendars/${name}`, import.meta.url), 'utf8');
const times = (events: readonly ParsedEvent[]): string[] => events.map(({ time }) => new Date(time).toISOString());
const calendar = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join('\r\n');
const event = (...lines: string[]): string => calendar('BEGIN:VEVENT', 'UID:a', 'SUMMARY:A', ...lines, 'END:VEVENT');

describe('a schedule of a statistics office', () => {
  const { events, skipped } = parse(recorded('bls-style.ics'));

  test('has its times in UTC on both sides of a clock change, although its time zone is described wrongly', () => {
    expect(times(events)).toEqual(['2026-03-06T13:30:00.000Z', '2026-03-11T12:30:00.000Z']);
    expect(skipped).toEqual([]);
  });

  test('has unfolded titles, and values and addresses where it states them', () => {
    expect(events[0]).toMatchObject({
      uid: 'empsit-2026-02@example.org',
      title: 'Employment Situation for February 2026',
      forecast: '160K',
      previous: '143K',
      url: 'https://office.example.org/empsit',
      allDay: false,
      status: null,
    });
    expect(events[1]).not.toHaveProperty('forecast');
  });
});

describe('an exported calendar', () => {
  const { events } = parse(recorded('exported.ics'));
  const of = (uid: string): ParsedEvent[] => events.filter((each) => each.uid?.startsWith(uid));

  test('has the version of an event with the highest sequence', () => {
    expect(times(of('rates'))).toEqual(['2026-03-06T13:15:00.000Z']);
  });

  test('has dates as all-day events at midnight UTC', () => {
    expect(of('holiday')).toMatchObject([{ allDay: true, time: Date.UTC(2026, 3, 3) }]);
  });

  test('has cancelled events', () => {
    expect(of('speech')).toMatchObject([{ status: 'cancelled', time: Date.UTC(2026, 2, 10, 10) }]);
  });

  test('has times without a zone in the zone of the calendar', () => {
    expect(times(of('floating'))).toEqual(['2026-04-01T06:00:00.000Z']);
  });

  test('has recurring events at the same wall-clock time, with moved and excluded occurrences', () => {
    const found = of('weekly').map(({ uid, time, status, onlyKnown }) => [
      uid!.slice(-24),
      new Date(time).toISOString(),
      ...(onlyKnown ? [status] : []),
    ]);
    expect(found.sort()).toEqual([
      ['2026-02-26T13:30:00.000Z', '2026-02-26T13:30:00.000Z'],
      ['2026-03-05T13:30:00.000Z', '2026-03-05T13:30:00.000Z'],
      // The clocks change on 8 March. Moved by a day, with the identity of its original time.
      ['2026-03-12T12:30:00.000Z', '2026-03-13T12:30:00.000Z'],
      ['2026-03-19T12:30:00.000Z', '2026-03-19T12:30:00.000Z', 'cancelled'],
      ['2026-03-26T12:30:00.000Z', '2026-03-26T12:30:00.000Z'],
      ['2026-04-02T12:30:00.000Z', '2026-04-02T12:30:00.000Z'],
    ]);
  });
});

describe('a calendar document', () => {
  test('without a known time zone uses the one it describes', () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Office time',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      'TZOFFSETFROM:+0300',
      'TZOFFSETTO:+0300',
      'END:STANDARD',
      'END:VTIMEZONE',
    ];
    const lines = ['BEGIN:VEVENT', 'UID:a', 'SUMMARY:A', 'DTSTART;TZID=Office time:20260306T100000', 'END:VEVENT'];
    expect(times(parse(calendar(...zone, ...lines)).events)).toEqual(['2026-03-06T07:00:00.000Z']);
  });

  test('leaves out events that cannot be read, and says why', () => {
    const bad = (...lines: string[]): string[] => ['BEGIN:VEVENT', 'UID:b', ...lines, 'END:VEVENT'];
    const parsed = parse(
      calendar(
        ...bad('SUMMARY:No start'),
        ...['BEGIN:VEVENT', 'UID:c', 'DTSTART:20260306T100000Z', 'END:VEVENT'],
        ...['BEGIN:VEVENT', 'UID:d', 'SUMMARY:D', 'DTSTART;TZID=Nowhere/At_All:20260306T100000', 'END:VEVENT'],
        ...['BEGIN:VEVENT', 'UID:e', 'SUMMARY:E', 'DTSTART:20260306T100000Z', 'END:VEVENT'],
      ),
    );
    expect(parsed.events.map(({ title }) => title)).toEqual(['E']);
    expect(parsed.skipped.map(({ line, reason }) => [line, reason])).toEqual([
      [1, 'the event has no DTSTART'],
      [2, 'the event has no SUMMARY'],
      [3, 'the time zone Nowhere/At_All is not known'],
    ]);
  });

  test('with endless recurrence is read within its horizon, and not forever', () => {
    const daily = parse(event('DTSTART:20200101T100000Z', 'RRULE:FREQ=DAILY')).events;
    expect(daily.length).toBeWithin(430, 440);
    expect(times(daily)[0]).toBe('2026-01-26T10:00:00.000Z');
    expect(parse(event('DTSTART:20260101T100000Z', 'RRULE:FREQ=SECONDLY')).events.length).toBeLessThanOrEqual(
      MAX_DOCUMENT_EVENTS,
    );
  });

  test('that cancels by its method cancels all its events', () => {
    const cancelled = event('DTSTART:20260306T100000Z').replace('VERSION:2.0', 'VERSION:2.0\r\nMETHOD:CANCEL');
    expect(parse(cancelled).events).toMatchObject([{ status: 'cancelled' }]);
  });

  test.each(['', 'hello', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID', '<html></html>', 'BEGIN:VCALENDAR\r\nEND:VEVENT'])(
    'that is none is a failure: %p',
    (text) => {
      expect(parseIcal(text, 'UTC', NOW).ok).toBe(false);
    },
  );
});

describe('local times', () => {
  test('that a clock change skips or repeats have one reading', () => {
    const at = (text: string): string => new Date(toUtc('America/New_York', Date.parse(`${text}Z`))).toISOString();
    expect(at('2026-03-08T02:30:00')).toBe('2026-03-08T07:30:00.000Z');
    expect(at('2026-11-01T01:30:00')).toBe('2026-11-01T05:30:00.000Z');
    expect(at('2026-07-01T08:30:00')).toBe('2026-07-01T12:30:00.000Z');
    expect(toUtc('UTC', DAY_MS)).toBe(DAY_MS);
  });

  test('zones are known by the names of several programs', () => {
    expect(
      ['US-Eastern', 'GMT Standard Time', 'europe/london', '/example.org/Europe/Paris', 'Z', 'Mars'].map(zoneNamed),
    ).toEqual([...['America/New_York', 'Europe/London', 'Europe/London', 'Europe/Paris', 'UTC', null]]);
  });
});
