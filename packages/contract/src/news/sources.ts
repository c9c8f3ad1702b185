// Status of the news sources, for operators. Counts are since the start of the service.
import { z } from 'zod';
import { ItemCount, namedObject, nullable, Timestamp, text } from '../common/values.ts';

const NEWS_SOURCE_STATES = ['starting', 'ok', 'failing', 'stopped'] as const;
const count = (description: string) => z.int().min(0).meta({ description });

export const NewsSourceReport = namedObject('NewsSourceReport', 'Status of one news source', () => ({
  name: text('Name'),
  url: nullable(z.string(), 'Address that is polled; `null` if the source is not polled'),
  state: z.enum(NEWS_SOURCE_STATES).meta({ description: 'State' }),
  last_item_at: nullable(Timestamp, 'Time of the last new item; `null` before the first'),
  last_poll_at: nullable(Timestamp, 'Time of the last poll; `null` before the first'),
  items: count('Items received, before curation'),
  unchanged: count('Polls without a new item'),
  failures: count('Failed polls'),
  last_error: nullable(z.string(), 'Last error'),
}));
export type NewsSourceReport = z.infer<typeof NewsSourceReport>;

export const NewsSourceList = namedObject('NewsSourceList', 'Status of all news sources', () => ({
  items: z.array(NewsSourceReport).meta({ description: 'Items' }),
  count: ItemCount,
  left_out: z
    .record(z.string(), count('Number of items'))
    .meta({ description: 'Items dropped by curation since the start, by reason' }),
}));
export type NewsSourceList = z.infer<typeof NewsSourceList>;
