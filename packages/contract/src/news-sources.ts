// How the sources of news are doing, for operators.
import { z } from 'zod';
import { Timestamp } from './values.ts';

export const NEWS_SOURCE_STATES = ['starting', 'ok', 'failing', 'stopped'] as const;

export const NewsSourceReport = z
  .object({
    name: z.string(),
    url: z.string().nullable().meta({ description: 'null where it is not fetched' }),
    state: z.enum(NEWS_SOURCE_STATES),
    last_item_at: Timestamp.nullable().meta({ description: 'When it last brought something new' }),
    last_poll_at: Timestamp.nullable(),
    items: z.int().min(0).meta({ description: 'Items it brought, before curation' }),
    unchanged: z.int().min(0).meta({ description: 'Polls that brought nothing new' }),
    failures: z.int().min(0),
    last_error: z.string().nullable(),
  })
  .meta({ id: 'NewsSourceReport' });
export type NewsSourceReport = z.infer<typeof NewsSourceReport>;

export const NewsSourceList = z
  .object({
    items: z.array(NewsSourceReport),
    count: z.int(),
    left_out: z
      .record(z.string(), z.int().min(0))
      .meta({ description: 'Items that curation left out since the start of the service, by reason' }),
  })
  .meta({ id: 'NewsSourceList' });
export type NewsSourceList = z.infer<typeof NewsSourceList>;
