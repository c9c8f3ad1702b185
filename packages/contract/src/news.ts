// The news feed, each item with its sentiment.
import { z } from 'zod';
import { booleanQuery, instantQuery, integerQuery, placeQuery, SymbolCode, setQuery, Timestamp } from './values.ts';

export const NEWS_CATEGORIES = ['forex', 'gold', 'crypto', 'macro'] as const;
export type NewsCategory = (typeof NEWS_CATEGORIES)[number];
export const SENTIMENTS = ['bullish', 'neutral', 'bearish'] as const;
export type Sentiment = (typeof SENTIMENTS)[number];

export const SentimentScore = z
  .number()
  .min(-1)
  .max(1)
  .meta({ description: 'From −1 for bad news to 1 for good news; the label follows from it' });

const item = {
  title: z.string().meta({ description: 'Plain text, without markup' }),
  category: z.enum(NEWS_CATEGORIES),
  sentiment: z.enum(SENTIMENTS),
  sentiment_score: SentimentScore,
  timestamp: Timestamp.meta({ description: 'Publication time' }),
};

export const NewsItem = z.object(item).meta({ id: 'NewsItem' });
export type NewsItem = z.infer<typeof NewsItem>;

export const NewsDetail = z
  .object({
    ...item,
    id: z.string().meta({ description: 'Stays the same over all revisions' }),
    url: z.string().nullable().meta({ description: 'Where it was published, `http` or `https`; null where not known' }),
    source: z.string().meta({ description: 'Name of the source that had it first' }),
    model: z.string().meta({ description: 'Which model scored it' }),
    symbols: z.array(SymbolCode).meta({ description: 'Instruments that it mentions' }),
    cluster: z.int().min(1).meta({ description: 'How many sources had it, this one included' }),
    revision: z.int().min(0).meta({ description: 'How often its headline was updated' }),
  })
  .meta({ id: 'NewsDetail', description: 'A news item as it stands with `detail=true`, and on `/ws/news`' });
export type NewsDetail = z.infer<typeof NewsDetail>;

/** The longer one first: the shorter would take it too, and leave the rest of it out. */
const anyItem = z.union([NewsDetail, NewsItem]);

export const NewsList = z
  .object({ items: z.array(anyItem).meta({ description: 'Newest first; with `detail=true` each is a NewsDetail' }) })
  .meta({ id: 'NewsList' });
export type NewsList = z.infer<typeof NewsList>;

export const NewsQuery = z.object({
  category: setQuery('Categories', NEWS_CATEGORIES),
  symbol: z.string().optional().meta({
    description: 'Instrument code: only items that mention it; an unknown one gives an empty list',
  }),
  since: instantQuery('Only items with a `timestamp` after this'),
  before: placeQuery(
    'Id of an item: only those that stand behind it in the list. Or a time: only items with a `timestamp` before it. The `id` of ' +
      'the last item of a page leads to the next, however many have the same time; an unknown one gives an empty list',
  ),
  from: instantQuery('Only items with a `timestamp` at or after this'),
  to: instantQuery('Only items with a `timestamp` at or before this'),
  detail: booleanQuery('Each item with its `id`, `url`, `source`, `model`, `symbols`, `cluster` and `revision`', false),
  limit: integerQuery('Maximum number of items', 1, 200, 20),
});
export type NewsQuery = z.infer<typeof NewsQuery>;
