// What venues publish of perpetuals beside prices. Sizes are in units of the underlying.
import { z } from 'zod';
import { integerQuery, namedObject, nullable, number, SymbolCode, Timestamp, timestamp } from '../common/values.ts';

/** Liquidations that are kept of each perpetual. */
export const MAX_LIQUIDATIONS = 500;

export const PerpetualQuery = z.object({
  limit: integerQuery('Number of liquidations', 0, MAX_LIQUIDATIONS, 20),
});
export type PerpetualQuery = z.infer<typeof PerpetualQuery>;

/** `null` if the venue does not publish it, or has not sent it yet. */
export const figureFields = {
  mark_price: nullable(z.number(), 'Price at which the venue values positions'),
  index_price: nullable(z.number(), 'Price of the underlying'),
  funding_rate: nullable(
    z.number(),
    'Paid per interval, as a fraction: 0.0001 is 0.01 %. Above 0, longs pay shorts; below 0, shorts pay longs',
  ),
  funding_interval_hours: nullable(z.number(), 'Hours between two payments'),
};

export const openInterest = nullable(z.number(), 'Size of all open contracts, in units of the underlying');

export const liquidationFields = {
  side: z
    .enum(['buy', 'sell'])
    .meta({ description: 'Side of the order that closed the position: `sell` closes a long position' }),
  price: number('Price'),
  size: number('Size, in units of the underlying'),
};

export const Perpetual = namedObject('Perpetual', 'Funding, mark price and open interest of one perpetual', () => ({
  symbol: SymbolCode,
  venue: nullable(z.string(), 'Venue of the figures; `null` before the first'),
  ...figureFields,
  next_funding_time: nullable(Timestamp, 'Time of the next payment'),
  open_interest: openInterest,
  timestamp: nullable(Timestamp, 'Time of the newest figure'),
  liquidations: z
    .array(z.object({ timestamp: timestamp('Time'), ...liquidationFields }))
    .meta({ description: 'Positions that the venue closed by force, newest first' }),
}));
export type Perpetual = z.infer<typeof Perpetual>;
