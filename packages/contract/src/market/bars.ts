// Bars of any interval, read page by page.
import { z } from 'zod';
import { instantQuery, integerQuery, nullable, SymbolCode, text } from '../common/values.ts';
import { OhlcvBar } from './schemas.ts';

export const MAX_CHART_BARS = 10_000;

const INTERVALS = 'a number of minutes up to 1440m, of hours up to 24h, 1d, 1w or 1M';
const ALIGNMENTS = 'utc, ny (17:00 in New York) or an IANA time zone such as Europe/London';

export const BarsQuery = z.object({
  interval: z
    .string()
    .regex(/^(?:[1-9]\d{0,3}[mh]|1d|1w|1M)$/)
    .default('1h')
    .meta({ description: 'Length of a bar. `1m` is a minute, `1M` a month', allowed: INTERVALS }),
  align: z
    .string()
    .regex(/^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,2}$/)
    .default('utc')
    .meta({
      description:
        'When a day starts. Intervals count from there. `utc`: 00:00 UTC. `ny`: 17:00 in New York, as most charts of forex have it. ' +
        'A time zone: its midnight',
      allowed: ALIGNMENTS,
    }),
  from: instantQuery('Return only bars that start at or after this time, the oldest first'),
  to: instantQuery('Return only bars that start at or before this time'),
  limit: integerQuery('Maximum number of bars', 1, MAX_CHART_BARS, 500),
  cursor: z
    .string()
    .regex(/^[bf]\d{1,15}$/)
    .optional()
    .meta({ description: 'Value of `next` of the page before', allowed: 'the value of `next` of an earlier response' }),
});
export type BarsQuery = z.infer<typeof BarsQuery>;

export const BarsPage = z
  .object({
    symbol: SymbolCode,
    interval: text('Length of a bar'),
    align: text('When a day starts'),
    items: z.array(OhlcvBar).meta({ description: 'Bars in ascending order; the newest one may still be forming' }),
    next: nullable(
      z.string(),
      'Cursor of the next page: older bars, or newer ones if `from` was given. `null` if there are no more. A page may have ' +
        'fewer bars than `limit` and still have a next one',
    ),
  })
  .meta({ id: 'BarsPage', description: 'Bars of one instrument, one page' });
export type BarsPage = z.infer<typeof BarsPage>;
