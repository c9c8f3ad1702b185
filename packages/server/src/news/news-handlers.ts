// Handlers of the news endpoints. Aggregates over many items are cached for a short time.
import {
  iso,
  NEWS_CATEGORIES,
  type NewsItemDetail,
  type NewsQuery,
  type NewsSentiment,
  type NewsSentimentQuery,
  type NewsSourceList,
  SENTIMENT_INTERVALS,
} from '@tickwire/contract';
import { roundTo } from '@tickwire/engine';
import { type SourceStatus, sourceReport } from '../documents/source.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { NewsStore, SentimentRow } from '../store/news-store.ts';
import type { NewsFeed } from './news-feed.ts';
import { marketAfter, type NewsMarketSources } from './news-market.ts';

export interface NewsHandlersOptions extends NewsMarketSources {
  readonly feed: NewsFeed;
  readonly store: Pick<NewsStore, 'sentiment'>;
  /** How long sentiment counts are cached, in milliseconds. Default: 5,000. */
  readonly sentimentMs?: number;
  readonly sources: () => readonly SourceStatus[];
  /** Number of items that curation left out, by reason. */
  readonly leftOut: () => Readonly<Record<string, number>>;
}

/** How long the sentiment counts of an instrument, or of all, are cached. */
const SENTIMENT_MS = 5_000;
const MAX_CACHED_SENTIMENTS = 200;

export class NewsHandlers {
  readonly #options: NewsHandlersOptions;
  readonly #sentiment = new Map<string, { readonly at: number; readonly rows: Promise<readonly SentimentRow[]> }>();

  constructor(options: NewsHandlersOptions) {
    this.#options = options;
  }

  list(query: NewsQuery): string | Promise<string> {
    const items = this.#options.feed.list(query);
    return Array.isArray(items) ? listOf(items) : withStoreErrors(async () => listOf(await items));
  }

  async item(id: string, now: number): Promise<string> {
    return withStoreErrors(async () => {
      const item = isId(id) ? await this.#options.feed.item(id) : undefined;
      if (!item) throw new ServiceError('news_not_found', `There is no news item ${JSON.stringify(id.slice(0, 64))}.`);
      const market = await marketAfter(item, this.#options, now);
      return JSON.stringify({ ...item, market } satisfies NewsItemDetail);
    });
  }

  async sentiment({ period, category, symbol }: NewsSentimentQuery, now: number): Promise<string> {
    const { seconds, count } = SENTIMENT_INTERVALS[period];
    const interval = seconds * 1_000;
    const to = (Math.floor(now / interval) + 1) * interval;
    const from = to - count * interval;
    const filtered = symbol?.toUpperCase() ?? null;
    const rows = await this.#intervals(filtered, from, interval, now);
    const items = rows
      .filter((row) => !category || category.includes(row.category))
      .map(({ time, category: of, bullish, neutral, bearish, meanScore }) => ({
        time: iso(time),
        category: of,
        count: bullish + neutral + bearish,
        bullish,
        neutral,
        bearish,
        mean_score: roundTo(meanScore, 4),
      }));
    const response: NewsSentiment = {
      period,
      symbol: filtered,
      stretch_seconds: seconds,
      from: iso(from),
      to: iso(to),
      items,
      count: items.length,
    };
    return JSON.stringify(response);
  }

  #intervals(symbol: string | null, from: number, interval: number, now: number): Promise<readonly SentimentRow[]> {
    const { feed, store, sentimentMs = SENTIMENT_MS } = this.#options;
    const key = `${from} ${interval} ${symbol}`;
    const cached = this.#sentiment.get(key);
    if (cached && now - cached.at < sentimentMs) return cached.rows;
    const filter = { categories: NEWS_CATEGORIES, symbol, from, except: feed.except };
    const rows = withStoreErrors(() => store.sentiment(filter, interval));
    if (this.#sentiment.size >= MAX_CACHED_SENTIMENTS) this.#sentiment.clear();
    this.#sentiment.set(key, { at: now, rows });
    rows.catch(() => this.#sentiment.delete(key));
    return rows;
  }

  sources(): string {
    const items = this.#options.sources().map(sourceReport);
    const list: NewsSourceList = { items, count: items.length, left_out: { ...this.#options.leftOut() } };
    return JSON.stringify(list);
  }
}

/** Anything else cannot be an id, and PostgreSQL does not accept every text. */
const isId = (text: string): boolean => /^[\w-]{1,64}$/.test(text);
const listOf = (items: readonly unknown[]): string => JSON.stringify({ items });
