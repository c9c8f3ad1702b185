// Reads the lines of POST /ingest/calendar.
import { CalendarLine, MAX_EVENT_TITLE, MAX_EVENT_VALUE } from '@tickwire/contract';
import { DAY_MS, SECOND_MS } from '@tickwire/engine';
import { plainText } from '../documents/plain-text.ts';
import { lineReader } from '../documents/pushed-lines.ts';
import { currencyOfCountry } from './currencies.ts';
import type { RawCalendarEvent, RawValue } from './raw-event.ts';

/** Events further away are mistakes, such as seconds in place of milliseconds. */
export const MAX_EVENT_DAYS_BACK = 36_525;
export const MAX_EVENT_DAYS_AHEAD = 3_653;

export const readCalendarLines = lineReader<CalendarLine, RawCalendarEvent>(
  CalendarLine,
  (line, source, { account, now }) => {
    const title = plainText(line.title, MAX_EVENT_TITLE);
    if (title === '') return { code: 'malformed_line', detail: 'title has no visible characters' };
    const allDay = typeof line.time === 'string' && line.time.length === 10;
    const time = typeof line.time === 'number' ? line.time : Date.parse(line.time);
    if (!(time >= now - MAX_EVENT_DAYS_BACK * DAY_MS && time <= now + MAX_EVENT_DAYS_AHEAD * DAY_MS && time >= 0))
      return {
        code: 'time_out_of_range',
        detail: `the time must be at most ${MAX_EVENT_DAYS_AHEAD} days ahead, and not before 1970`,
      };
    const country = line.country.toUpperCase();
    const currency = line.currency?.toUpperCase() ?? currencyOfCountry(country);
    if (currency === null)
      return { code: 'unknown_currency', detail: `the currency of ${country} is not known; add the field currency` };
    return {
      source,
      account,
      uid: line.id ?? null,
      title,
      country,
      currency,
      impact: line.impact ?? null,
      time: Math.floor(time / SECOND_MS) * SECOND_MS,
      allDay,
      status: line.status ?? null,
      actual: textOf(line.actual),
      forecast: textOf(line.forecast),
      previous: textOf(line.previous),
      unit: textOf(line.unit),
      ...(line.url !== undefined && { url: line.url }),
    };
  },
);

/** An empty text is no value. */
function textOf(value: string | number | null | undefined): RawValue {
  if (value === undefined || value === null) return value;
  return plainText(String(value), MAX_EVENT_VALUE) || null;
}
