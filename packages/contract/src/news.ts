// The news feed, each item with its sentiment.
import { z } from 'zod';
import { integerQuery, setQuery, Timestamp } from './values.ts';

export const NEWS_CATEGORIES = ['forex', 'gold', 'crypto', 'macro'] as const;
export type NewsCategory = (typeof NEWS_CATEGORIES)[number];
export const SENTIMENTS = ['bullish', 'neutral', 'bearish'] as const;

export const NewsItem = z
  .object({
    title: z.string(),
    category: z.enum(NEWS_CATEGORIES),
    sentiment: z.enum(SENTIMENTS),
    sentiment_score: z.number().min(-1).max(1),
    timestamp: Timestamp,
  })
  .meta({ id: 'NewsItem' });
export type NewsItem = z.infer<typeof NewsItem>;

export const NewsList = z
  .object({ items: z.array(NewsItem).meta({ description: 'Newest first' }) })
  .meta({ id: 'NewsList' });

export const NewsQuery = z.object({
  category: setQuery('Categories', NEWS_CATEGORIES),
  limit: integerQuery('Maximum number of items', 1, 200, 20),
});
export type NewsQuery = z.infer<typeof NewsQuery>;
