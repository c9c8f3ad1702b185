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

export interface NewsStore {
  /** Puts items in, or in place of those with the same id. */
  put(items: readonly StoredNews[]): Promise<void>;
  /** One more source had the item. */
  recount(id: string, cluster: number): Promise<void>;
  /** The newest by publication, newest first; of the same time the one that was seen later. */
  newest(limit: number): Promise<StoredNews[]>;
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
