// Sentiment of the news over time: items per label and average score, by interval.
import { z } from 'zod';
import { enumQuery, ItemCount, integer, namedObject, nullable, SymbolCode, timestamp } from '../common/values.ts';
import { categoryFilter, NewsCategoryName, SentimentScore, symbolFilter } from './schemas.ts';

const HOUR = 3_600;

const SENTIMENT_PERIODS = ['day', 'week', 'month'] as const;
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

export const NewsSentimentItem = namedObject('NewsSentimentItem', 'Sentiment of one category in one interval', () => ({
  time: timestamp('Time of the event, or start of the bar or interval'),
  category: NewsCategoryName,
  count: z.int().min(1).meta({ description: 'Items published in the interval' }),
  bullish: count('Items with the label `bullish`'),
  neutral: count('Items with the label `neutral`'),
  bearish: count('Items with the label `bearish`'),
  mean_score: SentimentScore.meta({ description: 'Average `sentiment_score` of the items' }),
}));

export const NewsSentiment = namedObject('NewsSentiment', 'Sentiment of the news over time', () => ({
  period: z.enum(SENTIMENT_PERIODS).meta({ description: 'Period covered' }),
  symbol: nullable(SymbolCode, 'Instrument code in upper case'),
  stretch_seconds: integer('Length of an interval in seconds'),
  from: timestamp('Start of the first interval'),
  to: timestamp('End of the last interval, which is in progress'),
  items: z.array(NewsSentimentItem).meta({
    description: 'Oldest first, then by category, without empty ones',
  }),
  count: ItemCount,
}));
export type NewsSentiment = z.infer<typeof NewsSentiment>;

export const NewsSentimentQuery = z.object({
  period: enumQuery('24 hours by the hour, 7 days by 6 hours, or 30 days by day', SENTIMENT_PERIODS, 'day'),
  category: categoryFilter,
  symbol: symbolFilter,
});
export type NewsSentimentQuery = z.infer<typeof NewsSentimentQuery>;
