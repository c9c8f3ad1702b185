// Calendar events from an operator's own sources, one JSON object per line.
import { z } from 'zod';
import { choice, namedObject, nonBlankText } from '../common/values.ts';
import { ingestAnswer, LineSource, LineTime, lineUrl } from '../market/ingest.ts';
import { CALENDAR_IMPACTS } from './schemas.ts';

/** Maximum lengths in code points. */
export const MAX_EVENT_TITLE = 300;
export const MAX_EVENT_VALUE = 64;

const value = (description: string) =>
  z
    .union([z.string().max(MAX_EVENT_VALUE), z.number(), z.null()])
    .optional()
    .meta({
      description: `${description}; \`null\` removes it`,
      allowed: `a text of up to ${MAX_EVENT_VALUE} characters, a number, or null`,
    });

export const CalendarLine = namedObject('CalendarLine', 'A pushed calendar event, or a revision of one', () => ({
  title: nonBlankText(MAX_EVENT_TITLE, 'Name of the event. Markup and control characters are removed'),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/)
    .meta({
      description: 'ISO 3166 code, or `EU` for the euro area',
      allowed: 'an ISO 3166 code of two letters, or EU',
    }),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3,5}$/)
    .optional()
    .meta({
      description: 'Currency. Default: that of the country',
      allowed: 'a currency code of three to five letters',
    }),
  impact: choice(CALENDAR_IMPACTS, 'Impact. Default: that of the known event, or `medium`').optional(),
  time: z.union([LineTime, z.iso.date()]).meta({
    description: 'Unix time in milliseconds, or ISO 8601 with an offset. A date makes it an all-day event',
    allowed: 'Unix time in milliseconds, an ISO 8601 time with its offset, or a date',
  }),
  status: choice(
    ['scheduled', 'released', 'cancelled'],
    'Status. Default: `released` if there is an actual value, else `scheduled`',
  ).optional(),
  actual: value('Released value'),
  forecast: value('Expected value'),
  previous: value('Value of the period before'),
  unit: z
    .string()
    .max(16)
    .nullable()
    .optional()
    .meta({ description: 'Unit of the values', allowed: 'a text of up to 16 characters, or null' }),
  url: lineUrl('Address'),
  source: LineSource,
  id: nonBlankText(
    255,
    'Id at its source: a line with the same id is a revision. Without ids, country, title and UTC date identify an event',
  ).optional(),
}));
export type CalendarLine = z.infer<typeof CalendarLine>;

/** Reasons for rejecting a line. */
const CALENDAR_LINE_REJECTIONS = [
  'malformed_json',
  'malformed_line',
  'bad_time',
  'time_out_of_range',
  'unknown_currency',
  'reserved_source',
] as const;

export const CalendarIngestAnswer = ingestAnswer(CALENDAR_LINE_REJECTIONS).meta({
  id: 'CalendarIngestAnswer',
  description: 'Result of pushing calendar events',
});
export type CalendarIngestAnswer = z.infer<typeof CalendarIngestAnswer>;
