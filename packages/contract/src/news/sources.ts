// Status of the news sources, for operators. Counts are since the start of the service.
import { z } from 'zod';
import { ItemCount, nullable, Timestamp, text } from '../common/values.ts';

export const NEWS_SOURCE_STATES = ['starting', 'ok', 'failing', 'stopped'] as const;
const count = (description: string) => z.int().min(0).meta({ description });

export const NewsSourceReport = z
  .object({
    name: text('Name of the source'),
    url: nullable(z.string(), 'Address that is polled; `null` if the source is not polled'),
    state: z.enum(NEWS_SOURCE_STATES).meta({ description: 'State of the source' }),
    last_item_at: nullable(Timestamp, 'Time of the last new item (ISO 8601, UTC); `null` before the first'),
    last_poll_at: nullable(Timestamp, 'Time of the last poll (ISO 8601, UTC); `null` before the first'),
    items: count('Items received, before curation'),
    unchanged: count('Polls without a new item'),
    failures: count('Failed polls'),
    last_error: nullable(z.string(), 'Last error; `null` if there was none'),
  })
  .meta({ id: 'NewsSourceReport', description: 'Status of one news source' });
export type NewsSourceReport = z.infer<typeof NewsSourceReport>;

export const NewsSourceList = z
  .object({
    items: z.array(NewsSourceReport).meta({ description: 'News sources' }),
    count: ItemCount,
    left_out: z
      .record(z.string(), count('Number of items'))
      .meta({ description: 'Items that curation dropped since the start of the service, by reason' }),
  })
  .meta({ id: 'NewsSourceList', description: 'Status of all news sources' });
export type NewsSourceList = z.infer<typeof NewsSourceList>;
