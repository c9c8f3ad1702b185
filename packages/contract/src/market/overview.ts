// The day of many instruments in one response: open, high, low, change, and a line of the last 24 hours.
import { z } from 'zod';
import { namedObject, nullable, number, SymbolCode, Timestamp } from '../common/values.ts';
import { instrumentsQuery } from './schemas.ts';

/** Numbers in a sparkline: 24 hours in steps of 15 minutes. */
export const MAX_SPARKLINE = 96;

export const OverviewQuery = z.object({ symbols: instrumentsQuery });
export type OverviewQuery = z.infer<typeof OverviewQuery>;

const price = (description: string) => nullable(z.number(), description);

export const OverviewItem = namedObject('OverviewItem', 'The UTC day of one instrument', () => ({
  symbol: SymbolCode,
  time: Timestamp.nullable().meta({
    description: 'Time of `last`; `null` if there is no price yet',
  }),
  day_open: price('First price of the UTC day'),
  day_high: price('Highest price of the UTC day'),
  day_low: price('Lowest price of the UTC day'),
  last: price('Last trade if bars are made of trades, else the bid. It may be of an earlier day'),
  change: price('`last` − `day_open`'),
  change_percent: price('`change` in percent of `day_open`'),
  sparkline: z.array(number('Closing price')).max(MAX_SPARKLINE).meta({
    description: 'Closing prices of the 15-minute bars of the last 24 hours, oldest first',
  }),
}));
export type OverviewItem = z.infer<typeof OverviewItem>;

export const Overview = namedObject('Overview', 'The UTC day of several instruments', () => ({
  items: z.array(OverviewItem).meta({ description: 'One entry per instrument, in the order of the request' }),
}));
export type Overview = z.infer<typeof Overview>;
