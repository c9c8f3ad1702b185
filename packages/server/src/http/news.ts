// What the endpoints of news answer, as JSON text.
import type { NewsCalibration, NewsQuery, NewsSourceList } from '@tickwire/contract';
import { wilsonInterval } from '@tickwire/engine';
import type { NewsFeed } from '../news/news-feed.ts';
import type { NewsSourceStatus } from '../news/raw-item.ts';
import type { NewsStore } from '../store/news-store.ts';
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

export class NewsAnswers {
  readonly #options: NewsAnswersOptions;
  #calibration: { readonly at: number; readonly text: Promise<string> } | null = null;

  constructor(options: NewsAnswersOptions) {
    this.#options = options;
  }

  list(query: NewsQuery): string {
    return JSON.stringify({ items: this.#options.feed.list(query) });
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

const iso = (time: number): string => new Date(time).toISOString();
const rounded = (value: number): number => Math.round(value * 1e4) / 1e4 + 0;
