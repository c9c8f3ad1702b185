// The day of many instruments in one response: open, high, low, change, and a line of the last 24 hours.
import { z } from 'zod';
import { nullable, number, SymbolCode, Timestamp } from '../common/values.ts';
import { instrumentsQuery } from './schemas.ts';

/** Numbers in a sparkline: 24 hours in steps of 15 minutes. */
export const MAX_SPARKLINE = 96;

export const OverviewQuery = z.object({ symbols: instrumentsQuery });
export type OverviewQuery = z.infer<typeof OverviewQuery>;

const price = (description: string) => nullable(z.number(), description);

export const OverviewItem = z
  .object({
    symbol: SymbolCode,
    time: Timestamp.nullable().meta({
      description: 'Time of `last` (ISO 8601, UTC); `null` if the instrument has no price yet',
    }),
    day_open: price('First price of the UTC day; `null` if it has none yet'),
    day_high: price('Highest price of the UTC day; `null` if it has none yet'),
    day_low: price('Lowest price of the UTC day; `null` if it has none yet'),
    last: price(
      'Newest price of the bars: the last trade if bars are made of trades, else the bid. It may be of an earlier day',
    ),
    change: price('`last` − `day_open`, rounded to the digits of the instrument; `null` if the day has no price yet'),
    change_percent: price(
      '`change` in percent of `day_open`, rounded to 4 decimals; `null` if the day has no price yet',
    ),
    sparkline: z.array(number('Closing price')).max(MAX_SPARKLINE).meta({
      description:
        'Closing prices of the 15-minute bars that ended in the last 24 hours, oldest first. An interval without data is left out',
    }),
  })
  .meta({ id: 'OverviewItem', description: 'The UTC day of one instrument, and the line of its last 24 hours' });
export type OverviewItem = z.infer<typeof OverviewItem>;

export const Overview = z
  .object({
    items: z.array(OverviewItem).meta({ description: 'One entry per instrument, in the order of the request' }),
  })
  .meta({ id: 'Overview', description: 'The UTC day of several instruments' });
export type Overview = z.infer<typeof Overview>;
