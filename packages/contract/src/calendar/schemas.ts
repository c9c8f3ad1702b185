// The economic calendar: scheduled releases and decisions, and the time windows around them.
import { z } from 'zod';
import {
  ItemCount,
  instantQuery,
  integer,
  integerQuery,
  nullable,
  SymbolCode,
  setQuery,
  Timestamp,
  text,
  timestamp,
} from '../common/values.ts';

export const CALENDAR_IMPACTS = ['low', 'medium', 'high'] as const;
export type CalendarImpact = (typeof CALENDAR_IMPACTS)[number];
export const CALENDAR_STATUSES = ['scheduled', 'moved', 'released', 'cancelled'] as const;
export type CalendarStatus = (typeof CALENDAR_STATUSES)[number];

/** Maximum length of the range of one request, in days. */
export const MAX_CALENDAR_DAYS = 366;
/** The range if it is not given, in days before and after the current time. */
export const CALENDAR_DAYS_BACK = 1;
export const CALENDAR_DAYS_AHEAD = 7;
/** Maximum length of a window before and after an event, in minutes. */
export const MAX_WINDOW_MINUTES = 1_440;

export const CalendarImpactName = z
  .enum(CALENDAR_IMPACTS)
  .meta({ description: 'How much the event usually moves the market' });

const value = (description: string) =>
  nullable(z.string(), `${description}, as its source writes it; \`null\` if unknown`);

export const CalendarEvent = z
  .object({
    id: text('Id of the event, the same for all its revisions'),
    title: text('Name of the event, plain text'),
    country: text('ISO 3166 code of the country in upper case, or `EU` for the euro area'),
    currency: text('Currency that the event concerns'),
    impact: CalendarImpactName,
    time: timestamp('Time of the event, to the second. For an all-day event: 00:00 of its date'),
    all_day: z.boolean().meta({ description: 'Whether only the date is known. Such an event opens no window' }),
    status: z.enum(CALENDAR_STATUSES).meta({
      description:
        '`scheduled`; `moved`: still ahead, at another time than first stated; `released`: the actual value is known, or the ' +
        'source says so; `cancelled`',
    }),
    actual: value('Released value'),
    forecast: value('Expected value'),
    previous: value('Value of the period before'),
    unit: nullable(z.string(), 'Unit of the values, such as `%` or `K`; `null` if unknown or part of the values'),
    source: text('Name of the source'),
    url: nullable(z.string(), 'Address of the release, `http` or `https`; `null` if unknown'),
    symbols: z.array(SymbolCode).meta({ description: 'Affected instruments: those with the currency of the event' }),
    moved_from: nullable(Timestamp, 'Time before the last change of time (ISO 8601, UTC); `null` if it never changed'),
    revision: z.int().min(1).meta({ description: 'Number of the revision, starting at 1' }),
    updated_at: timestamp('Time at which the service learned of this revision'),
  })
  .meta({ id: 'CalendarEvent', description: 'An event of the economic calendar' });
export type CalendarEvent = z.infer<typeof CalendarEvent>;

export const CalendarPage = z
  .object({
    items: z.array(CalendarEvent).meta({ description: 'Events by ascending time, then by id' }),
    count: ItemCount,
    from: timestamp('Start of the range'),
    to: timestamp('End of the range'),
    next: nullable(z.string(), 'Cursor of the next page; `null` on the last page'),
  })
  .meta({ id: 'CalendarPage', description: 'A page of the economic calendar' });
export type CalendarPage = z.infer<typeof CalendarPage>;

/** Comma-separated country codes, in any letter case. */
const countryQuery = z
  .preprocess(
    (given) => (typeof given === 'string' ? given.toUpperCase().split(',') : given),
    z.array(z.string().regex(/^[A-Z]{2}$/)),
  )
  .optional()
  .meta({
    description: 'Return only events of these countries',
    allowed: 'one or more ISO 3166 codes of two letters, or EU, comma-separated',
  });

const impactQuery = setQuery('Return only events of these impacts', CALENDAR_IMPACTS);

/** Time and id of the last event of a page. */
export const CALENDAR_CURSOR = /^\d{1,15}\.[\w-]{1,64}$/;

export const CalendarQuery = z.object({
  from: instantQuery(
    `Start of the range (inclusive). By default ${CALENDAR_DAYS_BACK} day before the current time, or ` +
      `${CALENDAR_DAYS_BACK + CALENDAR_DAYS_AHEAD} days before \`to\` if that is earlier`,
  ),
  to: instantQuery(
    `End of the range (exclusive), at most ${MAX_CALENDAR_DAYS} days after \`from\`. By default ${CALENDAR_DAYS_AHEAD} days ` +
      `after the current time or after \`from\`, whichever is later, but at most ${MAX_CALENDAR_DAYS} days after \`from\``,
  ),
  country: countryQuery,
  impact: impactQuery,
  symbol: z.string().min(1).max(32).optional().meta({
    description: 'Return only events that affect this instrument. An unknown code gives an empty list',
    allowed: 'an instrument code',
  }),
  limit: integerQuery('Maximum number of events', 1, 1_000, 200),
  cursor: z.string().regex(CALENDAR_CURSOR).optional().meta({
    description: 'Value of `next` of the page before',
    allowed: 'the value of `next` of an earlier response',
  }),
});
export type CalendarQuery = z.infer<typeof CalendarQuery>;

export const WindowQuery = z.object({
  before: integerQuery('Minutes before an event at which its window opens', 0, MAX_WINDOW_MINUTES, 2),
  after: integerQuery('Minutes after an event at which its window closes', 0, MAX_WINDOW_MINUTES, 2),
  impact: setQuery('Consider only events of these impacts. Default: all', CALENDAR_IMPACTS),
  at: instantQuery('Time to judge. The current time by default'),
});
export type WindowQuery = z.infer<typeof WindowQuery>;

export const EventWindow = z
  .object({
    symbol: SymbolCode,
    at: timestamp('Time that was judged'),
    before: integer('Minutes before an event'),
    after: integer('Minutes after an event'),
    inside: z.boolean().meta({
      description: 'Whether `time − before ≤ at < time + after` for an event that affects the instrument',
    }),
    events: z.array(CalendarEvent).meta({ description: 'Events whose window contains `at`, by ascending time' }),
    next: nullable(CalendarEvent, 'First event after `at` that can open a window; `null` if none is known'),
    window: nullable(
      z.object({ from: timestamp('Start (inclusive)'), to: timestamp('End (exclusive)') }),
      'The time around `at` that is inside without a break, across overlapping windows; `null` if `at` is outside',
    ),
    all_day: z
      .array(CalendarEvent)
      .meta({ description: 'All-day events on the UTC date of `at`. They open no window' }),
  })
  .meta({ id: 'EventWindow', description: 'Whether a time is inside the window of a calendar event' });
export type EventWindow = z.infer<typeof EventWindow>;

/** The rule by which signals are marked (docs/calendar.md). */
export const MARK_WINDOW_MINUTES = 2;
export const MARK_IMPACT: CalendarImpact = 'high';

const MarkedEvent = z
  .object({
    id: text('Id of the calendar event'),
    revision: z.int().min(1).meta({ description: 'Revision that counted: the last one known when the signal closed' }),
    title: text('Name of the event'),
    time: timestamp('Time of the event'),
  })
  .meta({ id: 'MarkedEvent', description: 'A calendar event at the entry or exit of a signal' });

export const SignalWindows = z
  .object({
    inside: z.boolean().meta({ description: 'Whether the entry or an exit was inside a window' }),
    entry: z.array(MarkedEvent).meta({ description: 'Events whose window contained the fill of the entry' }),
    exit: z.array(MarkedEvent).meta({ description: 'Events whose window contained the last exit' }),
  })
  .meta({
    id: 'SignalWindows',
    description: `High-impact events of the instrument within ${MARK_WINDOW_MINUTES} minutes of the entry or exit of a signal`,
  });
export type SignalWindows = z.infer<typeof SignalWindows>;
