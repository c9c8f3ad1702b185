// Status of the price feeds, for operators.
import { z } from 'zod';
import { ItemCount, integer, nullable, number, SymbolCode, Timestamp, text, timestamp } from '../common/values.ts';

export const FeedReport = z
  .object({
    name: text('Name of the feed'),
    state: z.enum(['starting', 'connecting', 'live', 'waiting', 'stopped']).meta({
      description: 'State of the connection. `waiting`: disconnected, waiting for the next attempt',
    }),
    symbols: z.array(z.string()).meta({ description: 'Instruments that the feed offers' }),
    last_event_at: nullable(Timestamp, 'Time of the last event (ISO 8601, UTC); `null` before the first'),
    connects: integer('Connections made since the start of the service'),
    disconnects: integer('Connections lost since the start of the service'),
    duplicates: integer('Trades received twice and dropped'),
    backfilled: integer('Missed trades that were fetched afterwards'),
    gaps: integer('Intervals whose trades could not be recovered'),
    complaints: integer('Messages that could not be parsed'),
    last_error: nullable(z.string(), 'Last error; `null` if there was none'),
  })
  .meta({ id: 'FeedReport', description: 'Status of one price feed' });
export type FeedReport = z.infer<typeof FeedReport>;

export const FeedList = z
  .object({
    items: z.array(FeedReport).meta({ description: 'Price feeds' }),
    count: ItemCount,
    quarantine: z
      .array(
        z.object({
          symbol: SymbolCode,
          time: timestamp('Time of the price'),
          price: number('The price; of a quote, the side that moved further'),
          last: number('Last accepted price before it'),
        }),
      )
      .meta({ description: 'The last 100 price jumps that were refused, or that wait for confirmation' }),
  })
  .meta({ id: 'FeedList', description: 'Status of all price feeds' });
