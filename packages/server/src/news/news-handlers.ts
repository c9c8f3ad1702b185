// Handlers of the news endpoints. Aggregates over many items are cached for a short time.
import {
  iso,
  isoOrNull,
  NEWS_CATEGORIES,
  type NewsCalibration,
  type NewsCategory,
  type NewsItemDetail,
  type NewsLabelCalibration,
  type NewsQuery,
  type NewsSentiment,
  type NewsSentimentQuery,
  type NewsSourceList,
  SENTIMENT_INTERVALS,
} from '@tickwire/contract';
import { MINUTE_MS, wilsonInterval } from '@tickwire/engine';
import { PUBLISHED_CALIBRATION } from '@tickwire/sentiment';
import { type SourceStatus, sourceReport } from '../documents/source.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { NewsStore, SentimentRow } from '../store/news-store.ts';
import type { NewsFeed } from './news-feed.ts';
import { marketAfter, type NewsMarketSources } from './news-market.ts';

export interface NewsHandlersOptions extends NewsMarketSources {
  readonly feed: NewsFeed;
  readonly store: NewsStore;
  readonly sources: () => readonly SourceStatus[];
  /** Number of items that curation left out, by reason. */
  readonly leftOut: () => Readonly<Record<string, number>>;
}

/** How long a calibration is cached. Moves are measured once a minute, so a new one has nothing more. */
const CALIBRATION_MS = MINUTE_MS;
/** Of the built-in model. */
const LABEL_CALIBRATION = PUBLISHED_CALIBRATION.categories.map(
  ({ category, temperature, leastConfidence, development, blind }): NewsLabelCalibration => ({
    model: PUBLISHED_CALIBRATION.model,
    category: category as NewsCategory,
    temperature,
    least_confidence: leastConfidence,
    chosen_on: development.count,
    measured_on: blind.count,
    accuracy: blind.accuracy,
    expected_error: blind.expectedError,
    brier_score: blind.brier,
    bins: blind.bins.map(({ from, to, count, confidence, accuracy }) => ({
      from,
      to,
      headlines: count,
      confidence: confidence!,
      accuracy: accuracy!,
    })),
  }),
);
const EMPTY_LIST = '{"items":[],';
/** How long the sentiment counts of an instrument, or of all, are cached. */
const SENTIMENT_MS = 5_000;
const MAX_CACHED_SENTIMENTS = 200;

export class NewsHandlers {
  readonly #options: NewsHandlersOptions;
  readonly #sentiment = new Map<string, { readonly at: number; readonly rows: Promise<readonly SentimentRow[]> }>();
  #calibration: { readonly at: number; readonly text: Promise<string> } | null = null;

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
        mean_score: rounded(meanScore),
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
    const { feed, store } = this.#options;
    const key = `${from} ${interval} ${symbol}`;
    const cached = this.#sentiment.get(key);
    if (cached && now - cached.at < SENTIMENT_MS) return cached.rows;
    const filter = { categories: NEWS_CATEGORIES, symbol, from, except: feed.except };
    const rows = withStoreErrors(() => store.sentiment(filter, interval));
    if (this.#sentiment.size >= MAX_CACHED_SENTIMENTS) this.#sentiment.clear();
    this.#sentiment.set(key, { at: now, rows });
    rows.catch(() => this.#sentiment.delete(key));
    return rows;
  }

  calibration(now: number): Promise<string> {
    const cached = this.#calibration;
    if (cached && now - cached.at < CALIBRATION_MS) return cached.text;
    const text = this.#calibrate();
    this.#calibration = { at: now, text };
    const forget = (): void => {
      this.#calibration = null;
    };
    // The figures of a new store begin to appear within seconds.
    text.then((json) => json.startsWith(EMPTY_LIST) && forget(), forget);
    return text;
  }

  async #calibrate(): Promise<string> {
    const { rows, since } = await withStoreErrors(() => this.#options.store.calibration());
    const response: NewsCalibration = {
      items: rows.map(({ model, category, sentiment, horizonMinutes, items, hits, averagePercent }) => {
        const [low, high] = wilsonInterval(hits, items);
        return {
          model,
          category,
          sentiment,
          horizon_minutes: horizonMinutes as 15 | 60 | 240,
          items,
          hits,
          hit_rate: rounded(hits / items),
          hit_rate_low: rounded(low),
          hit_rate_high: rounded(high),
          average_move_percent: averagePercent === null ? null : rounded(averagePercent),
        };
      }),
      count: rows.length,
      since: isoOrNull(since),
      labels: LABEL_CALIBRATION,
    };
    return JSON.stringify(response);
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
const rounded = (value: number): number => Math.round(value * 1e4) / 1e4 + 0;
