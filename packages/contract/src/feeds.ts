// How the sources of prices are doing, for operators.
import { z } from 'zod';
import { Timestamp } from './values.ts';

export const FeedReport = z
  .object({
    name: z.string(),
    state: z.enum(['starting', 'connecting', 'live', 'waiting', 'stopped']),
    symbols: z.array(z.string()).meta({ description: 'Symbols it offers' }),
    last_event_at: Timestamp.nullable(),
    connects: z.int(),
    disconnects: z.int(),
    duplicates: z.int().meta({ description: 'Trades that came twice and were dropped' }),
    backfilled: z.int().meta({ description: 'Missed trades that were fetched afterwards' }),
    gaps: z.int().meta({ description: 'Stretches that are missing for good' }),
    complaints: z.int().meta({ description: 'Messages that were not understood' }),
    last_error: z.string().nullable(),
  })
  .meta({ id: 'FeedReport' });
export type FeedReport = z.infer<typeof FeedReport>;

export const FeedList = z
  .object({
    items: z.array(FeedReport),
    count: z.int(),
    quarantine: z
      .array(
        z.object({
          symbol: z.string(),
          time: Timestamp,
          price: z.number(),
          last: z.number().meta({ description: 'The last good price before it' }),
        }),
      )
      .meta({ description: 'The last 100 prices that were kept out as absurd jumps' }),
  })
  .meta({ id: 'FeedList' });
