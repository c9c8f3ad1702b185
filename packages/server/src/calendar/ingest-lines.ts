// Parses events of POST /ingest/calendar: one JSON object per line, each accepted or rejected on its own.
import { CalendarLine, MAX_EVENT_TITLE, MAX_EVENT_VALUE, type NewsAccount } from '@tickwire/contract';
import { DAY_MS, SECOND_MS } from '@tickwire/engine';
import { firstFault } from '../errors/validation.ts';
import { type IngestTally, jsonLines } from '../market/feeds/push/push-feed.ts';
import { plainText } from '../news/curation/plain-text.ts';
import type { ReservedSources } from '../news/reserved-sources.ts';
import { currencyOfCountry } from './currencies.ts';
import type { RawCalendarEvent, RawValue } from './raw-event.ts';

/** Events further away are mistakes, such as seconds in place of milliseconds. */
export const MAX_EVENT_DAYS_BACK = 36_525;
export const MAX_EVENT_DAYS_AHEAD = 3_653;
/** As in the contract. */
const MAX_SOURCE_LENGTH = 100;

export interface CalendarLinesContext {
  /** The account that pushes. Its name is the source of lines that name none. */
  readonly account: NewsAccount;
  readonly reserved: ReservedSources;
  readonly now: number;
}

/** `first`: number of the first line, for the tally. */
export function readCalendarLines(
  lines: readonly string[],
  first: number,
  context: CalendarLinesContext,
  tally: IngestTally,
): RawCalendarEvent[] {
  const events: RawCalendarEvent[] = [];
  for (const [line, raw] of jsonLines(lines, first, tally)) {
    const read = eventOf(raw, context);
    if ('code' in read) tally.reject(line, read.code, read.detail);
    else {
      tally.accepted++;
      events.push(read);
    }
  }
  return events;
}

interface Rejection {
  readonly code: string;
  readonly detail: string;
}

function eventOf(raw: unknown, { account, reserved, now }: CalendarLinesContext): RawCalendarEvent | Rejection {
  const parsed = CalendarLine.safeParse(raw);
  if (!parsed.success) {
    const code = parsed.error.issues[0]?.path[0] === 'time' ? 'bad_time' : 'malformed_line';
    return { code, detail: firstFault(parsed.error, CalendarLine, raw, 'the line') };
  }
  const line = parsed.data;
  // Displayed like the title.
  const source = plainText(line.source ?? account.name, MAX_SOURCE_LENGTH);
  const title = plainText(line.title, MAX_EVENT_TITLE);
  if (source === '') return { code: 'malformed_line', detail: 'source has no visible characters' };
  if (title === '') return { code: 'malformed_line', detail: 'title has no visible characters' };
  if (reserved.has(source))
    return {
      code: 'reserved_source',
      detail: `source ${source} is the name of a configured source; use another name`,
    };
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
}

/** An empty text is no value. */
function textOf(value: string | number | null | undefined): RawValue {
  if (value === undefined || value === null) return value;
  return plainText(String(value), MAX_EVENT_VALUE) || null;
}
