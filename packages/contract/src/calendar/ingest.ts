// Calendar events from an operator's own sources, one JSON object per line.
import { z } from 'zod';
import { nonBlankText } from '../common/values.ts';
import { ingestAnswer, LineTime } from '../market/ingest.ts';
import { CALENDAR_IMPACTS } from './schemas.ts';

/** Maximum lengths in code points. */
export const MAX_EVENT_TITLE = 300;
export const MAX_EVENT_VALUE = 64;

const value = (description: string) =>
  z
    .union([z.string().max(MAX_EVENT_VALUE), z.number(), z.null()])
    .optional()
    .meta({
      description: `${description}. \`null\` removes it; without the field, the known value stays`,
      allowed: `a text of up to ${MAX_EVENT_VALUE} characters, a number, or null`,
    });

export const CalendarLine = z
  .object({
    title: nonBlankText(MAX_EVENT_TITLE, 'Name of the event. Markup and control characters are removed'),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/)
      .meta({
        description: 'ISO 3166 code of the country, or `EU` for the euro area',
        allowed: 'an ISO 3166 code of two letters, or EU',
      }),
    currency: z
      .string()
      .regex(/^[A-Za-z]{3,5}$/)
      .optional()
      .meta({
        description: 'Currency that the event concerns. That of the country by default',
        allowed: 'a currency code of three to five letters',
      }),
    impact: z
      .enum(CALENDAR_IMPACTS)
      .optional()
      .meta({
        description: 'Impact. By default that of the known event, or `medium`',
        allowed: `one of ${CALENDAR_IMPACTS.join(', ')}`,
      }),
    time: z.union([LineTime, z.iso.date()]).meta({
      description:
        'Time of the event: Unix time in milliseconds, or ISO 8601 with an offset. A date makes it an all-day event',
      allowed: 'Unix time in milliseconds, an ISO 8601 time with its offset, or a date',
    }),
    status: z.enum(['scheduled', 'released', 'cancelled']).optional().meta({
      description: 'Status. By default `released` if there is an actual value, else `scheduled`',
      allowed: 'one of scheduled, released, cancelled',
    }),
    actual: value('Released value'),
    forecast: value('Expected value'),
    previous: value('Value of the period before'),
    unit: z
      .string()
      .max(16)
      .nullable()
      .optional()
      .meta({ description: 'Unit of the values', allowed: 'a text of up to 16 characters, or null' }),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .optional()
      .meta({ description: 'Address of the release', allowed: 'an http or https address of up to 2048 characters' }),
    source: nonBlankText(
      100,
      'Name of the source. The name of the account by default. The names of configured sources are reserved',
    ).optional(),
    id: nonBlankText(
      255,
      'Id of the event at its source. A line of the same account and source with the same id is a revision of the event. ' +
        'Without an id, country, title and UTC date identify the event',
    ).optional(),
  })
  .meta({ id: 'CalendarLine', description: 'A pushed calendar event, or a revision of one' });
export type CalendarLine = z.infer<typeof CalendarLine>;

/** Reasons for rejecting a line. */
export const CALENDAR_LINE_REJECTIONS = [
  'malformed_json',
  'malformed_line',
  'bad_time',
  'time_out_of_range',
  'unknown_currency',
  'reserved_source',
] as const;
export type CalendarLineRejection = (typeof CALENDAR_LINE_REJECTIONS)[number];

export const CalendarIngestAnswer = ingestAnswer(CALENDAR_LINE_REJECTIONS).meta({
  id: 'CalendarIngestAnswer',
  description: 'Result of pushing calendar events',
});
export type CalendarIngestAnswer = z.infer<typeof CalendarIngestAnswer>;
