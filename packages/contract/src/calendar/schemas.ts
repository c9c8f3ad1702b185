// The economic calendar: scheduled releases and decisions, and the time windows around them.
import { z } from 'zod';
import {
  ItemCount,
  instantQuery,
  integer,
  integerQuery,
  namedObject,
  nextPage,
  nullable,
  RANGE_END,
  RANGE_START,
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
const MAX_WINDOW_MINUTES = 1_440;

const CalendarImpactName = z.enum(CALENDAR_IMPACTS).meta({ description: 'Usual effect on the market' });

const value = (description: string) => nullable(z.string(), `${description}, as its source writes it`);

export const CalendarEvent = namedObject('CalendarEvent', 'An event of the economic calendar', () => ({
  id: text('Id, the same for all revisions'),
  title: text('Name of the event'),
  country: text('ISO 3166 code, or `EU` for the euro area'),
  currency: text('Currency that the event concerns'),
  impact: CalendarImpactName,
  time: timestamp('Time of the event; 00:00 if it is all day'),
  all_day: z.boolean().meta({ description: 'Whether only the date is known: it opens no window' }),
  status: z.enum(CALENDAR_STATUSES).meta({
    description: '`moved`: scheduled at another time than first stated. `released`: known value, or by its source',
  }),
  actual: value('Released value'),
  forecast: value('Expected value'),
  previous: value('Value of the period before'),
  unit: nullable(z.string(), 'Unit of the values, such as `%` or `K`'),
  source: text('Name of the source'),
  url: nullable(z.string(), 'Address'),
  symbols: z.array(SymbolCode).meta({ description: 'Affected instruments' }),
  moved_from: nullable(Timestamp, 'Time before the last change; `null` if unchanged'),
  revision: z.int().min(1).meta({ description: 'Number of the revision, starting at 1' }),
  updated_at: timestamp('Time of receipt of this revision'),
}));
export type CalendarEvent = z.infer<typeof CalendarEvent>;

export const CalendarPage = namedObject('CalendarPage', 'A page of the economic calendar', () => ({
  items: z.array(CalendarEvent).meta({ description: 'Events by ascending time, then by id' }),
  count: ItemCount,
  from: timestamp('Start of the range'),
  to: timestamp('End of the range'),
  next: nextPage(z.string()),
}));
export type CalendarPage = z.infer<typeof CalendarPage>;

/** Comma-separated country codes, in any letter case. */
const countryQuery = z
  .preprocess(
    (given) => (typeof given === 'string' ? given.toUpperCase().split(',') : given),
    z.array(z.string().regex(/^[A-Z]{2}$/)),
  )
  .optional()
  .meta({
    description: 'Countries: ISO 3166 codes, or `EU`',
    allowed: 'one or more ISO 3166 codes of two letters, or EU, comma-separated',
  });

const impactQuery = setQuery('Impacts', CALENDAR_IMPACTS);

/** Time and id of the last event of a page. */
export const CALENDAR_CURSOR = /^\d{1,15}\.[\w-]{1,64}$/;

export const CalendarQuery = z.object({
  from: instantQuery(
    `${RANGE_START}. Default: ${CALENDAR_DAYS_BACK} day ago, or ` +
      `${CALENDAR_DAYS_BACK + CALENDAR_DAYS_AHEAD} days before \`to\` if that is earlier`,
  ),
  to: instantQuery(
    `${RANGE_END}, at most ${MAX_CALENDAR_DAYS} days after \`from\`. Default: ${CALENDAR_DAYS_AHEAD} days ` +
      'from now, or after `from` if that is later',
  ),
  country: countryQuery,
  impact: impactQuery,
  symbol: z.string().min(1).max(32).optional().meta({
    description: 'Only events that affect this instrument',
    allowed: 'an instrument code',
  }),
  limit: integerQuery('Maximum number of items', 1, 1_000, 200),
  cursor: z.string().regex(CALENDAR_CURSOR).optional().meta({
    description: 'Value of `next` of the page before',
    allowed: 'the value of `next` of an earlier response',
  }),
});
export type CalendarQuery = z.infer<typeof CalendarQuery>;

export const WindowQuery = z.object({
  before: integerQuery('Minutes before an event at which its window opens', 0, MAX_WINDOW_MINUTES, 2),
  after: integerQuery('Minutes after an event at which its window closes', 0, MAX_WINDOW_MINUTES, 2),
  impact: setQuery('Impacts', CALENDAR_IMPACTS),
  at: instantQuery('Time to judge. Default: now'),
});
export type WindowQuery = z.infer<typeof WindowQuery>;

export const EventWindow = namedObject(
  'EventWindow',
  'Whether a time is inside the window of a calendar event',
  () => ({
    symbol: SymbolCode,
    at: timestamp('Time that was judged'),
    before: integer('Minutes before an event'),
    after: integer('Minutes after an event'),
    inside: z.boolean().meta({
      description: 'Whether `time − before ≤ at < time + after` for an event',
    }),
    events: z.array(CalendarEvent).meta({ description: 'Events whose window contains `at`, by ascending time' }),
    next: nullable(CalendarEvent, 'Next event with a window; `null` if none is known'),
    window: nullable(
      z.object({ from: timestamp('Start (inclusive)'), to: timestamp('End (exclusive)') }),
      'Union of the overlapping windows around `at`; `null` if outside',
    ),
    all_day: z.array(CalendarEvent).meta({ description: 'All-day events on the UTC date of `at`' }),
  }),
);
export type EventWindow = z.infer<typeof EventWindow>;

/** The rule by which signals are marked (docs/calendar.md). */
export const MARK_WINDOW_MINUTES = 2;
export const MARK_IMPACT: CalendarImpact = 'high';

export const MarkedEvent = namedObject('MarkedEvent', 'A calendar event at the entry or exit of a signal', () => ({
  id: text('Id'),
  revision: z.int().min(1).meta({ description: 'Last revision known when the signal closed' }),
  title: text('Name of the event'),
  time: timestamp('Time of the event, or start of the bar or interval'),
}));

export const SignalWindows = namedObject(
  'SignalWindows',
  `High-impact events of the instrument within ${MARK_WINDOW_MINUTES} minutes of the entry or exit of a signal`,
  () => ({
    inside: z.boolean().meta({ description: 'Whether the entry or an exit was inside a window' }),
    entry: z.array(MarkedEvent).meta({ description: 'Events whose window contained the fill of the entry' }),
    exit: z.array(MarkedEvent).meta({ description: 'Events whose window contained the last exit' }),
  }),
);
export type SignalWindows = z.infer<typeof SignalWindows>;
