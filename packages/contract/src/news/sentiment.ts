// Sentiment of the news over time: items per label and average score, by interval.
import { z } from 'zod';
import { enumQuery, ItemCount, integer, nullable, SymbolCode, timestamp } from '../common/values.ts';
import { categoryFilter, NewsCategoryName, SentimentScore, symbolFilter } from './schemas.ts';

const HOUR = 3_600;

export const SENTIMENT_PERIODS = ['day', 'week', 'month'] as const;
export type SentimentPeriod = (typeof SENTIMENT_PERIODS)[number];

/** Length of an interval in seconds, and the number of intervals in a period. */
export const SENTIMENT_INTERVALS: Readonly<
  Record<SentimentPeriod, { readonly seconds: number; readonly count: number }>
> = {
  day: { seconds: HOUR, count: 24 },
  week: { seconds: 6 * HOUR, count: 28 },
  month: { seconds: 24 * HOUR, count: 30 },
};

const count = (description: string) => z.int().min(0).meta({ description });

export const NewsSentimentItem = z
  .object({
    time: timestamp('Start of the interval'),
    category: NewsCategoryName,
    count: z.int().min(1).meta({ description: 'Items published in the interval' }),
    bullish: count('Items with the label `bullish`'),
    neutral: count('Items with the label `neutral`'),
    bearish: count('Items with the label `bearish`'),
    mean_score: SentimentScore.meta({ description: 'Average `sentiment_score` of the items' }),
  })
  .meta({ id: 'NewsSentimentItem', description: 'Sentiment of one category in one interval' });
export type NewsSentimentItem = z.infer<typeof NewsSentimentItem>;

export const NewsSentiment = z
  .object({
    period: z.enum(SENTIMENT_PERIODS).meta({ description: 'Period covered' }),
    symbol: nullable(SymbolCode, 'Instrument of the filter; `null` without a filter'),
    stretch_seconds: integer('Length of an interval in seconds. Intervals start at multiples of it, in UTC'),
    from: timestamp('Start of the first interval'),
    to: timestamp('End of the last interval, exclusive. The last interval is still in progress'),
    items: z.array(NewsSentimentItem).meta({
      description: 'Oldest first, then by category. Intervals without items of a category are omitted',
    }),
    count: ItemCount,
  })
  .meta({ id: 'NewsSentiment', description: 'Sentiment of the news over time' });
export type NewsSentiment = z.infer<typeof NewsSentiment>;

export const NewsSentimentQuery = z.object({
  period: enumQuery(
    'Period: 24 hours in intervals of 1 hour, 7 days in intervals of 6 hours, or 30 days in intervals of 1 day. The last interval is the current one',
    SENTIMENT_PERIODS,
    'day',
  ),
  category: categoryFilter,
  symbol: symbolFilter,
});
export type NewsSentimentQuery = z.infer<typeof NewsSentimentQuery>;
