// The news feed, each item with its sentiment.
import { z } from 'zod';
import {
  booleanQuery,
  cursorQuery,
  instantQuery,
  integerQuery,
  nullable,
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
export const SentimentCertainty = z
  .object({
    confidence: probability('Probability that the label is right, calibrated on labelled headlines of its category'),
    undecided: z.boolean().meta({
      description: 'Whether the label is `neutral` only because no label is likely enough',
    }),
    probabilities: z
      .object({
        bearish: probability('Probability of `bearish`'),
        neutral: probability('Probability of `neutral`'),
        bullish: probability('Probability of `bullish`'),
      })
      .meta({
        description: 'Calibrated probabilities of the labels; they sum to 1. `sentiment_score` is bullish − bearish',
      }),
  })
  .meta({ id: 'SentimentCertainty', description: 'How sure the model is of a label' });
export type SentimentCertainty = z.infer<typeof SentimentCertainty>;

const item = {
  title: text('Headline, plain text without markup'),
  category: NewsCategoryName,
  sentiment: NewsSentimentLabel,
  sentiment_score: SentimentScore,
  timestamp: timestamp('Publication time, or the time of receipt if the source states none that can be read'),
};

export const NewsItem = z.object(item).meta({ id: 'NewsItem', description: 'A news item' });
export type NewsItem = z.infer<typeof NewsItem>;

export const NewsAccount = z
  .object({
    id: text('Id of the account, which never changes. Publishers have the same id'),
    name: text('Display name of the account when it pushed the item'),
  })
  .meta({ id: 'NewsAccount', description: 'The account that pushed a news item' });
export type NewsAccount = z.infer<typeof NewsAccount>;

export const NewsDetail = z
  .object({
    ...item,
    id: text('Id of the item, the same for all its revisions'),
    url: nullable(z.string(), 'Address of the article, `http` or `https`; `null` if unknown'),
    source: text('Name of the source that published it first'),
    account: nullable(
      NewsAccount,
      'Account that pushed the item. `null` for an item of a configured source, and for items pushed before this field existed',
    ),
    published_at: nullable(
      Timestamp,
      'Publication time as its source states it. `null` if the source states none that can be read, which makes `timestamp` ' +
        'the time of receipt, and for items stored before this field existed',
    ),
    model: text('Id of the model that scored it'),
    certainty: nullable(
      SentimentCertainty,
      'How sure the model is. `null` for a model that returns only scores, and for items stored before this field existed',
    ),
    symbols: z.array(SymbolCode).meta({ description: 'Instruments that the item mentions' }),
    cluster: z.int().min(1).meta({ description: 'Number of sources that published it' }),
    revision: z.int().min(0).meta({ description: 'Number of times its headline was updated' }),
  })
  .meta({ id: 'NewsDetail', description: 'A news item with `detail=true`, and on `/ws/news`' });
export type NewsDetail = z.infer<typeof NewsDetail>;

/** The longer schema comes first: the shorter one would match as well, and strip the additional fields. */
const anyItem = z.union([NewsDetail, NewsItem]);

export const NewsList = z
  .object({ items: z.array(anyItem).meta({ description: 'Items, newest first. With `detail=true`: NewsDetail' }) })
  .meta({ id: 'NewsList', description: 'A page of the news feed' });
export type NewsList = z.infer<typeof NewsList>;

export const categoryFilter = setQuery('Return only items of these categories', NEWS_CATEGORIES);
export const symbolFilter = z.string().optional().meta({
  description: 'Return only items that mention this instrument. An unknown code gives an empty list',
  allowed: 'an instrument code',
});

export const NewsQuery = z.object({
  category: categoryFilter,
  symbol: symbolFilter,
  since: instantQuery('Return only items with a `timestamp` after this time (exclusive)'),
  before: cursorQuery(
    'Id of an item: return only items that follow it in the list. To get the next page, use the `id` of the last item of this ' +
      'page; an unknown id gives an empty list. Or a time: return only items with a `timestamp` before it (exclusive)',
  ),
  from: instantQuery('Return only items with a `timestamp` at or after this time'),
  to: instantQuery('Return only items with a `timestamp` at or before this time'),
  detail: booleanQuery(
    'Add `id`, `url`, `source`, `account`, `published_at`, `model`, `symbols`, `cluster` and `revision` to each item',
    false,
  ),
  limit: integerQuery('Maximum number of items', 1, 200, 20),
});
export type NewsQuery = z.infer<typeof NewsQuery>;
