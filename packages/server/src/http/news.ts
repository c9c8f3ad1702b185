// What the endpoints of news answer, as JSON text.
import {
  NEWS_CATEGORIES,
  type NewsCalibration,
  type NewsQuery,
  type NewsSentiment,
  type NewsSentimentQuery,
  type NewsSourceList,
  SENTIMENT_STRETCHES,
} from '@tickwire/contract';
import { wilsonInterval } from '@tickwire/engine';
import type { NewsFeed } from '../news/news-feed.ts';
import type { NewsSourceStatus } from '../news/raw-item.ts';
import type { NewsStore, SentimentRow } from '../store/news-store.ts';
import { available } from './available.ts';

export interface NewsAnswersOptions {
  readonly feed: NewsFeed;
  readonly store: NewsStore;
  readonly sources: () => readonly NewsSourceStatus[];
  /** Items that curation left out, by reason. */
  readonly leftOut: () => Readonly<Record<string, number>>;
}

/** Every measured move goes into the calibration, and none is measured more often. */
const CALIBRATION_MS = 60_000;
/** A month of news is counted at most so often for one instrument, or for all, however many look. */
const SENTIMENT_MS = 5_000;
const KEPT_SENTIMENTS = 200;

export class NewsAnswers {
  readonly #options: NewsAnswersOptions;
  readonly #sentiment = new Map<string, { readonly at: number; readonly rows: Promise<readonly SentimentRow[]> }>();
  #calibration: { readonly at: number; readonly text: Promise<string> } | null = null;

  constructor(options: NewsAnswersOptions) {
    this.#options = options;
  }

  list(query: NewsQuery): string | Promise<string> {
    const items = this.#options.feed.list(query);
    return Array.isArray(items) ? listOf(items) : available(async () => listOf(await items));
  }

  async sentiment({ period, category, symbol }: NewsSentimentQuery, now: number): Promise<string> {
    const { seconds, count } = SENTIMENT_STRETCHES[period];
    const stretch = seconds * 1_000;
    const to = (Math.floor(now / stretch) + 1) * stretch;
    const from = to - count * stretch;
    const asked = symbol?.toUpperCase() ?? null;
    const rows = await this.#stretches(asked, from, stretch, now);
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
    const answer: NewsSentiment = {
      period,
      symbol: asked,
      stretch_seconds: seconds,
      from: iso(from),
      to: iso(to),
      items,
      count: items.length,
    };
    return JSON.stringify(answer);
  }

  #stretches(symbol: string | null, from: number, stretch: number, now: number): Promise<readonly SentimentRow[]> {
    const { feed, store } = this.#options;
    const key = `${from} ${stretch} ${symbol}`;
    const kept = this.#sentiment.get(key);
    if (kept && now - kept.at < SENTIMENT_MS) return kept.rows;
    const filter = { categories: NEWS_CATEGORIES, symbol, from, except: feed.except };
    const rows = available(() => store.sentiment(filter, stretch));
    if (this.#sentiment.size >= KEPT_SENTIMENTS) this.#sentiment.clear();
    this.#sentiment.set(key, { at: now, rows });
    rows.catch(() => this.#sentiment.delete(key));
    return rows;
  }

  calibration(now: number): Promise<string> {
    const kept = this.#calibration;
    if (kept && now - kept.at < CALIBRATION_MS) return kept.text;
    const text = this.#calibrate();
    this.#calibration = { at: now, text };
    text.catch(() => {
      this.#calibration = null;
    });
    return text;
  }

  async #calibrate(): Promise<string> {
    const { rows, since } = await available(() => this.#options.store.calibration());
    const answer: NewsCalibration = {
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
      since: since === null ? null : iso(since),
    };
    return JSON.stringify(answer);
  }

  sources(): string {
    const items = this.#options.sources().map((status) => ({
      name: status.name,
      url: status.url,
      state: status.state,
      last_item_at: status.lastItemAt > 0 ? iso(status.lastItemAt) : null,
      last_poll_at: status.lastPollAt > 0 ? iso(status.lastPollAt) : null,
      items: status.items,
      unchanged: status.unchanged,
      failures: status.failures,
      last_error: status.lastError,
    }));
    const list: NewsSourceList = { items, count: items.length, left_out: { ...this.#options.leftOut() } };
    return JSON.stringify(list);
  }
}

const listOf = (items: readonly unknown[]): string => JSON.stringify({ items });
const iso = (time: number): string => new Date(time).toISOString();
const rounded = (value: number): number => Math.round(value * 1e4) / 1e4 + 0;
