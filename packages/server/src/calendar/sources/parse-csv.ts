// Reads calendar events from CSV (RFC 4180; separated by commas, semicolons or tabs) with a header line. Each line is read or
// left out on its own, with a reason.
import { CALENDAR_IMPACTS, type CalendarImpact, iso } from '@tickwire/contract';
import { csvRows } from '../../documents/csv-rows.ts';
import { toUtc } from './local-time.ts';
import {
  calendarFailure,
  MAX_DOCUMENT_EVENTS,
  type ParsedCalendar,
  type ParsedEvent,
  type SkippedPart,
} from './parsed-calendar.ts';

/** Names of columns in lower case. */
const COLUMNS: Readonly<Record<string, string>> = {
  id: 'id',
  uid: 'id',
  date: 'date',
  day: 'date',
  time: 'time',
  datetime: 'time',
  timestamp: 'time',
  title: 'title',
  event: 'title',
  name: 'title',
  country: 'country',
  currency: 'currency',
  impact: 'impact',
  importance: 'impact',
  actual: 'actual',
  forecast: 'forecast',
  consensus: 'forecast',
  previous: 'previous',
  prior: 'previous',
  unit: 'unit',
  url: 'url',
  link: 'url',
  status: 'status',
};

/** ForexFactory's weekly file: the country is a currency, or All, and the month is first in dates. */
const FOREX_FACTORY = /^"?title"?,"?country"?,"?date"?,"?time"?,"?impact"?,"?forecast"?,"?previous"?/i;

type Row = Readonly<Record<string, string>>;

export function parseCsv(text: string, timezone: string): ParsedCalendar {
  const rows = csvRows(text, separatorOf);
  const header = rows.next().value;
  if (!header) return calendarFailure('empty', 'it has no header line');
  const columns = header.fields.map((name) => COLUMNS[name.trim().toLowerCase()] ?? null);
  if (!columns.includes('title') || !(columns.includes('time') || columns.includes('date')))
    return calendarFailure('not_a_calendar', 'its header line has no column title (or event), or none for the time');
  const isForexFactory = FOREX_FACTORY.test(header.fields.join());
  const events: ParsedEvent[] = [];
  const skipped: SkippedPart[] = [];
  for (const { line, fields } of rows) {
    if (fields.every((field) => field.trim() === '')) continue;
    if (events.length >= MAX_DOCUMENT_EVENTS) {
      skipped.push({ line, reason: `more than ${MAX_DOCUMENT_EVENTS} events` });
      break;
    }
    const row: Record<string, string> = {};
    for (const [index, column] of columns.entries())
      if (column !== null) row[column] = row[column] || (fields[index] ?? '').trim();
    try {
      events.push(eventOf(isForexFactory ? ofForexFactory(row) : row, timezone));
    } catch (error) {
      skipped.push({ line, reason: (error as Error).message });
    }
  }
  return { ok: true, format: 'csv', events, skipped };
}

function ofForexFactory({ country = '', date = '', ...row }: Row): Row {
  return {
    ...row,
    date: date.replace(/^(\d\d)-(\d\d)-(\d{4})$/, '$3-$1-$2'),
    ...(country !== 'All' && { currency: country }),
  };
}

function eventOf(row: Row, timezone: string): ParsedEvent {
  if (!row.title) throw new Error('no title');
  const { time, allDay } = timeOf(row, timezone);
  return {
    uid: row.id || null,
    title: row.title,
    country: countryOf(row),
    currency: row.currency ? codeOf(row.currency, /^[A-Z]{3,5}$/, 'currency') : null,
    impact: row.impact ? impactOf(row.impact) : null,
    time,
    allDay,
    status: row.status ? statusOf(row.status) : null,
    ...valueOfColumn(row, 'actual'),
    ...valueOfColumn(row, 'forecast'),
    ...valueOfColumn(row, 'previous'),
    ...valueOfColumn(row, 'unit'),
    ...(/^https?:\/\//i.test(row.url ?? '') && { url: row.url! }),
  };
}

/** An empty cell of a column is no value; without the column, the known value stays. */
const valueOfColumn = <K extends 'actual' | 'forecast' | 'previous' | 'unit'>(row: Row, name: K) =>
  name in row ? { [name]: row[name] || null } : {};

function countryOf({ country }: Row): string | null {
  return country ? codeOf(country, /^[A-Z]{2}$/, 'country') : null;
}

function codeOf(text: string, form: RegExp, name: string): string {
  const code = text.toUpperCase();
  if (!form.test(code))
    throw new Error(`${name} ${JSON.stringify(text)} is not a code such as ${name === 'country' ? 'US' : 'USD'}`);
  return code;
}

const IMPACT_WORDS: Readonly<Record<string, CalendarImpact>> = {
  '1': 'low',
  '2': 'medium',
  '3': 'high',
  moderate: 'medium',
  holiday: 'low',
  none: 'low',
  'non-economic': 'low',
};

function impactOf(text: string): CalendarImpact {
  const word = text.toLowerCase().replace(/ (impact|volatility).*$/, '');
  const impact = CALENDAR_IMPACTS.find((each) => each === word) ?? IMPACT_WORDS[word];
  if (!impact) throw new Error(`impact ${JSON.stringify(text)} is not one of ${CALENDAR_IMPACTS.join(', ')}`);
  return impact;
}

function statusOf(text: string): ParsedEvent['status'] {
  const status = (['scheduled', 'released', 'cancelled'] as const).find((each) => each === text.toLowerCase());
  if (!status) throw new Error(`status ${JSON.stringify(text)} is not one of scheduled, released, cancelled`);
  return status;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap]m)?$/i;
const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{1,2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;
const ALL_DAY = /^(all day|tentative|day \d.*)?$/i;

function timeOf(row: Row, timezone: string): { time: number; allDay: boolean } {
  const written = row.date ? `${row.date} ${row.time ?? ''}`.trim() : (row.time ?? '');
  const instant = INSTANT.exec(written);
  if (instant) {
    const [, date, clock, offset] = instant;
    const wallClock = midnightOf(date!, written) + clockOf(clock!, written);
    if (offset === undefined) return { time: toUtc(timezone, wallClock), allDay: false };
    return { time: wallClock - offsetOf(offset), allDay: false };
  }
  const [date = '', ...rest] = written.split(/\s+/);
  const clock = rest.join(' ');
  const midnight = midnightOf(date, written);
  if (ALL_DAY.test(clock)) return { time: midnight, allDay: true };
  return { time: toUtc(timezone, midnight + clockOf(clock, written)), allDay: false };
}

function midnightOf(text: string, written: string): number {
  const [, year, month, day] = DATE.exec(text) ?? [];
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (!(time >= 0) || iso(time).slice(0, 10) !== text) throw badTime(written);
  return time;
}

function clockOf(text: string, written: string): number {
  const [, hours, minutes, seconds = '0', half] = CLOCK.exec(text) ?? [];
  let hour = Number(hours);
  if (half && (hour < 1 || hour > 12)) throw badTime(written);
  if (half) hour = (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  if (!(hour < 24 && Number(minutes) < 60 && Number(seconds) < 60)) throw badTime(written);
  return ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}

function offsetOf(text: string): number {
  if (/^z$/i.test(text)) return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return (text[0] === '-' ? -1 : 1) * minutes * 60_000;
}

const badTime = (written: string): Error =>
  new Error(
    `${JSON.stringify(written.slice(0, 60))} is not a time such as 2026-03-06T13:30:00Z, or a date such as 2026-03-06`,
  );

const separatorOf = (head: string): string =>
  [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0]!;
