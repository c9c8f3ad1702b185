// The news feed, each item with its sentiment.
import { z } from 'zod';
import {
  booleanQuery,
  cursorQuery,
  instantQuery,
  integerQuery,
  namedObject,
  nullable,
  rangeQuery,
  SymbolCode,
  setQuery,
  Timestamp,
  text,
  timestamp,
} from '../common/values.ts';

export const NEWS_CATEGORIES = ['forex', 'gold', 'crypto', 'macro'] as const;
export type NewsCategory = (typeof NEWS_CATEGORIES)[number];
export const SENTIMENTS = ['bullish', 'neutral', 'bearish'] as const;
export type SentimentLabel = (typeof SENTIMENTS)[number];

export const SentimentScore = z
  .number()
  .min(-1)
  .max(1)
  .meta({ description: 'Sentiment from −1 (bad news) to 1 (good news)' });
export const NewsCategoryName = z.enum(NEWS_CATEGORIES).meta({ description: 'Category' });
export const NewsSentimentLabel = z.enum(SENTIMENTS).meta({ description: 'Sentiment label' });

const probability = (description: string) => z.number().min(0).max(1).meta({ description });
export const SentimentCertainty = namedObject('SentimentCertainty', 'How sure the model is of a label', () => ({
  confidence: probability('Calibrated probability that the label is right'),
  undecided: z.boolean().meta({
    description: '`neutral` only because no label is likely enough',
  }),
  probabilities: z
    .object({
      bearish: probability('Probability of `bearish`'),
      neutral: probability('Probability of `neutral`'),
      bullish: probability('Probability of `bullish`'),
    })
    .meta({
      description: 'Calibrated probabilities; `sentiment_score` is bullish − bearish',
    }),
}));
export type SentimentCertainty = z.infer<typeof SentimentCertainty>;

const item = {
  title: text('Headline, plain text without markup'),
  category: NewsCategoryName,
  sentiment: NewsSentimentLabel,
  sentiment_score: SentimentScore,
  timestamp: timestamp('Time of publication, or of receipt if the source states none'),
};

export const NewsItem = namedObject('NewsItem', 'A news item', () => item);
export type NewsItem = z.infer<typeof NewsItem>;

export const NewsAccount = namedObject('NewsAccount', 'The account that pushed a news item', () => ({
  id: text('Id of the account and of its publisher'),
  name: text('Display name of the account when it pushed the item'),
}));
export type NewsAccount = z.infer<typeof NewsAccount>;

export const SymbolSentiment = namedObject('SymbolSentiment', 'Sentiment of a headline for one instrument', () => ({
  symbol: SymbolCode,
  sentiment: NewsSentimentLabel,
  sentiment_score: SentimentScore,
}));

export const NewsDetail = namedObject('NewsDetail', 'A news item with `detail=true`, and on `/ws/news`', () => ({
  ...item,
  id: text('Id, the same for all revisions'),
  url: nullable(z.string(), 'Address'),
  source: text('Name of the source that published it first'),
  account: nullable(NewsAccount, 'Account that pushed it; `null` for a configured source'),
  published_at: nullable(Timestamp, 'Time of publication by its source; `null` if unreadable or absent'),
  model: text('Id of the model'),
  certainty: nullable(SentimentCertainty, 'How sure the model is; `null` if it returns only scores'),
  symbols: z.array(SymbolCode).meta({ description: 'Instruments that the item mentions' }),
  sentiments: z
    .array(SymbolSentiment)
    .meta({ description: 'For each of them: bad news for the dollar is good for EURUSD' }),
  cluster: z.int().min(1).meta({ description: 'Number of sources that published it' }),
  revision: z.int().min(0).meta({ description: 'Number of times its headline was updated' }),
}));
export type NewsDetail = z.infer<typeof NewsDetail>;

/** The longer schema comes first: the shorter one would match as well, and strip the additional fields. */
const anyItem = z.union([NewsDetail, NewsItem]);

export const NewsList = namedObject('NewsList', 'A page of the news feed', () => ({
  items: z.array(anyItem).meta({ description: 'Items, newest first. With `detail=true`: NewsDetail' }),
}));
export type NewsList = z.infer<typeof NewsList>;

export const categoryFilter = setQuery('Only items of these categories', NEWS_CATEGORIES);
export const symbolFilter = z.string().optional().meta({
  description: 'Only items that mention this instrument',
  allowed: 'an instrument code',
});

export const NewsQuery = z.object({
  category: categoryFilter,
  symbol: symbolFilter,
  since: instantQuery('Start of the range (exclusive)'),
  before: cursorQuery('Id of the last item of the previous page, or a time: only items with a `timestamp` before it'),
  ...rangeQuery,
  detail: booleanQuery('Return NewsDetail items', false),
  limit: integerQuery('Maximum number of items', 1, 200, 20),
});
export type NewsQuery = z.infer<typeof NewsQuery>;
