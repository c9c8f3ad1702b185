// News and what the market did after it.
import type { NewsCategory, NewsDetail, Sentiment } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';

/** An item of the feed with what curation needs to know it again. */
export interface StoredNews {
  readonly item: NewsDetail;
  /** When the service had it; `item.timestamp` is when its source says it was published. */
  readonly seenAt: number;
  /** The source's own name of it. */
  readonly guid: string | null;
}

/** A move that is due to be measured. */
export interface DueMove {
  readonly id: string;
  readonly publishedAt: number;
  readonly seenAt: number;
  readonly source: string;
  readonly category: NewsCategory;
  readonly symbols: readonly string[];
}

/** What the market did after an item: percent, or null where it could not be measured. */
export interface Move {
  readonly id: string;
  readonly horizonMinutes: number;
  readonly symbol: MarketSymbol | null;
  readonly percent: number | null;
}

export interface CalibrationRow {
  readonly model: string;
  readonly category: NewsCategory;
  readonly sentiment: Sentiment;
  readonly horizonMinutes: number;
  readonly items: number;
  readonly hits: number;
  readonly averagePercent: number | null;
}

/** Where an item stands in the list: by time, and of the same time by id, the greater one first. */
export interface NewsPlace {
  readonly time: number;
  readonly id: string;
}

/** Which items: of these categories, that mention the symbol (null: all), published from `from` on. */
export interface NewsFilter {
  readonly categories: readonly NewsCategory[];
  readonly symbol: string | null;
  /** Inclusive. */
  readonly from: number;
  /** Not those of this source. */
  readonly except: string | null;
}

/** What was published in one stretch of time in one category. */
export interface SentimentRow {
  /** Start of the stretch. */
  readonly time: number;
  readonly category: NewsCategory;
  readonly bullish: number;
  readonly neutral: number;
  readonly bearish: number;
  readonly meanScore: number;
}

export interface NewsStore {
  /** Puts items in, or in place of those with the same id. */
  put(items: readonly StoredNews[]): Promise<void>;
  /** One more source had the item. */
  recount(id: string, cluster: number): Promise<void>;
  /** The newest by publication, newest first; of the same time the greater id goes first. */
  newest(limit: number): Promise<StoredNews[]>;
  /** Those that stand behind a place, in the same order. An id of '' stands behind all of its time. */
  behind(place: NewsPlace, filter: NewsFilter, limit: number): Promise<NewsDetail[]>;
  /** When an item was published. */
  publishedAt(id: string): Promise<number | undefined>;
  /** By stretches of `stretchMs` that begin at multiples of it, oldest first, then by category; without empty ones. */
  sentiment(filter: NewsFilter, stretchMs: number): Promise<SentimentRow[]>;
  /** Items seen from `from` (inclusive) to `to` (exclusive) whose move over the horizon is not measured, oldest first. */
  due(horizonMinutes: number, from: number, to: number, limit: number): Promise<DueMove[]>;
  /** Each counts for the model and label the item has at this moment. */
  putMoves(moves: readonly Move[]): Promise<void>;
  /**
   * Measured moves by model, category, label and horizon. A hit: up after `bullish`, down after `bearish`; after `neutral`,
   * less than the mean absolute move of all items of the category and horizon.
   */
  calibration(): Promise<{ readonly rows: CalibrationRow[]; readonly since: number | null }>;
  /** Forgets items published before `time`; measured moves stay. */
  prune(time: number): Promise<number>;
}
