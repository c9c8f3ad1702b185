// Status of the price feeds, for operators.
import { z } from 'zod';
import {
  ItemCount,
  integer,
  namedObject,
  nullable,
  number,
  SymbolCode,
  Timestamp,
  text,
  timestamp,
} from '../common/values.ts';

export const FeedReport = namedObject('FeedReport', 'Status of one price feed', () => ({
  name: text('Name'),
  state: z.enum(['starting', 'connecting', 'live', 'waiting', 'stopped']).meta({
    description: '`waiting`: disconnected, until the next attempt',
  }),
  symbols: z.array(z.string()).meta({ description: 'Instruments that the feed offers' }),
  last_event_at: nullable(Timestamp, 'Time of the last event; `null` before the first'),
  connects: integer('Connections since the start'),
  disconnects: integer('Disconnections since the start'),
  duplicates: integer('Trades received twice and dropped'),
  backfilled: integer('Missed trades fetched later'),
  gaps: integer('Intervals whose trades are lost'),
  invalid_messages: integer('Messages that could not be parsed'),
  history_bars_left: integer('Past bars still to be fetched'),
  last_error: nullable(z.string(), 'Last error'),
  problem: nullable(z.string(), 'What is wrong now, and what replaces the feed'),
  delay_ms: nullable(
    z.object({ p50: number('Median'), p99: number('99th percentile') }),
    'From the venue to us, of the last 1,024 prices',
  ),
  clock_offset_ms: nullable(z.number(), "By how much the venue's clock is ahead"),
}));
export type FeedReport = z.infer<typeof FeedReport>;

export const InstrumentSource = namedObject('InstrumentSource', 'Where the prices of an instrument come from', () => ({
  symbol: SymbolCode,
  feed: nullable(z.string(), 'The feed; `null` if none delivers it now'),
  problem: nullable(z.string(), 'Why its first venue does not deliver it, and what replaces it'),
}));
export type InstrumentSource = z.infer<typeof InstrumentSource>;

export const FeedList = namedObject('FeedList', 'Status of all price feeds', () => ({
  items: z.array(FeedReport).meta({ description: 'Items' }),
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
    .meta({ description: 'The last 100 price jumps that were rejected or await confirmation' }),
}));
export type FeedList = z.infer<typeof FeedList>;
