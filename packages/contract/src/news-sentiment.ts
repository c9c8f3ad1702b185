// The sentiment of the news over time: how many items of each label a stretch had, and their mean score.
import { z } from 'zod';
import { NEWS_CATEGORIES, SentimentScore } from './news.ts';
import { enumQuery, SymbolCode, setQuery, Timestamp } from './values.ts';

const HOUR = 3_600;

export const SENTIMENT_PERIODS = ['day', 'week', 'month'] as const;
export type SentimentPeriod = (typeof SENTIMENT_PERIODS)[number];

/** Seconds of a stretch, and how many of them a period has: 24 hours, 28 quarters of a day, 30 days. */
export const SENTIMENT_STRETCHES: Readonly<
  Record<SentimentPeriod, { readonly seconds: number; readonly count: number }>
> = {
  day: { seconds: HOUR, count: 24 },
  week: { seconds: 6 * HOUR, count: 28 },
  month: { seconds: 24 * HOUR, count: 30 },
};

const count = (description: string) => z.int().min(0).meta({ description });

export const NewsSentimentItem = z
  .object({
    time: Timestamp.meta({ description: 'Start of the stretch' }),
    category: z.enum(NEWS_CATEGORIES),
    count: z.int().min(1).meta({ description: 'Items published in it' }),
    bullish: count('Of them with this label'),
    neutral: count('Of them with this label'),
    bearish: count('Of them with this label'),
    mean_score: SentimentScore.meta({ description: 'Mean of their `sentiment_score`' }),
  })
  .meta({ id: 'NewsSentimentItem' });
export type NewsSentimentItem = z.infer<typeof NewsSentimentItem>;

export const NewsSentiment = z
  .object({
    period: z.enum(SENTIMENT_PERIODS),
    symbol: SymbolCode.nullable().meta({ description: 'Instrument that was asked for; null for all items' }),
    stretch_seconds: z.int().meta({ description: 'Length of a stretch; each begins at a multiple of it, in UTC' }),
    from: Timestamp.meta({ description: 'Start of the first stretch of the period' }),
    to: Timestamp.meta({ description: 'End of the last one, which has not ended yet (exclusive)' }),
    items: z.array(NewsSentimentItem).meta({
      description: 'Oldest first, then by category; a stretch without items of a category is left out',
    }),
    count: z.int().meta({ description: 'Number of items in this answer' }),
  })
  .meta({ id: 'NewsSentiment' });
export type NewsSentiment = z.infer<typeof NewsSentiment>;

export const NewsSentimentQuery = z.object({
  period: enumQuery(
    'How far back: 24 hours by the hour, 7 days by six hours, 30 days by the day; the running stretch is the last one',
    SENTIMENT_PERIODS,
    'day',
  ),
  category: setQuery('Categories', NEWS_CATEGORIES),
  symbol: z.string().optional().meta({
    description: 'Instrument code: only items that mention it; an unknown one gives an empty list',
  }),
});
export type NewsSentimentQuery = z.infer<typeof NewsSentimentQuery>;
