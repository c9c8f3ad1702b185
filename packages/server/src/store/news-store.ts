// News items and how the market moved after them. Times are milliseconds since 1970.
import type { NewsCategory, NewsDetail, SentimentLabel } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';

/** An item of the feed, with the data curation needs to recognize it. */
export interface StoredNews {
  readonly item: NewsDetail;
  /** When the service received it; `item.timestamp` is the publication time given by its source. */
  readonly seenAt: number;
  /** When this revision was scored and stored. */
  readonly knownAt: number;
  /** Id given by the source. */
  readonly guid: string | null;
}

/** A price move that is due to be measured. */
export interface DueMove {
  readonly id: string;
  readonly publishedAt: number;
  readonly seenAt: number;
  readonly source: string;
  readonly category: NewsCategory;
  readonly symbols: readonly string[];
}

/** The price move after an item in percent; `null` if it could not be measured. */
export interface Move {
  readonly id: string;
  readonly horizonMinutes: number;
  readonly symbol: MarketSymbol | null;
  readonly percent: number | null;
}

/** A move with the label of its item, which need not be stored. */
export interface MeasuredMove extends Move {
  readonly seenAt: number;
  readonly model: string;
  readonly category: NewsCategory;
  readonly sentiment: SentimentLabel;
}

export interface CalibrationRow {
  readonly model: string;
  readonly category: NewsCategory;
  readonly sentiment: SentimentLabel;
  readonly horizonMinutes: number;
  readonly items: number;
  readonly hits: number;
  readonly averagePercent: number | null;
}

/** Position of an item in the list, which is sorted by time and then by id, both descending. */
export interface NewsPosition {
  readonly time: number;
  readonly id: string;
}

/** Position of a revision in the order in which they became known, which is by time and then by id. */
export interface RevisionPosition {
  readonly knownAt: number;
  readonly id: string;
}

export interface NewsRevision {
  /** When it was scored and stored. */
  readonly knownAt: number;
  readonly item: NewsDetail;
  /** Whether there was an earlier one. */
  readonly revised: boolean;
}

/** Selects items by category, by mentioned symbol (`null`: all) and by publication time. */
export interface NewsFilter {
  readonly categories: readonly NewsCategory[];
  readonly symbol: string | null;
  /** Inclusive. */
  readonly from: number;
  /** Source to leave out. */
  readonly except: string | null;
  /** Only items whose revision was stored by then. Default: all. */
  readonly knownBy?: number;
}

/** Sentiment of the items of one category published in one interval. */
export interface SentimentRow {
  /** Start of the interval. */
  readonly time: number;
  readonly category: NewsCategory;
  readonly bullish: number;
  readonly neutral: number;
  readonly bearish: number;
  readonly meanScore: number;
}

export interface NewsStore {
  /** Inserts items, replacing those with the same id: what they were stays readable with `replacedAfter`. */
  put(items: readonly StoredNews[]): Promise<void>;
  /** Sets the number of sources that reported an item. */
  recount(id: string, cluster: number): Promise<void>;
  /** The newest by publication time, descending, then by id, descending. */
  newest(limit: number): Promise<StoredNews[]>;
  /** Items after a position, in the same order. A position with the id '' is after all items of its time. */
  pageAfter(position: NewsPosition, filter: NewsFilter, limit: number): Promise<NewsDetail[]>;
  /** `knownBy`: as in a filter. */
  item(id: string, knownBy?: number): Promise<NewsDetail | undefined>;
  /** Revisions that were the newest of their items at a time, and are not any more. */
  replacedAfter(time: number): Promise<NewsDetail[]>;
  /** Revisions after a position that were stored by `to`, in order. A position with the id '' is before all of its time. */
  revisionsAfter(position: RevisionPosition, to: number, limit: number): Promise<NewsRevision[]>;
  /** Publication time of an item. */
  publishedAt(id: string, knownBy?: number): Promise<number | undefined>;
  /** Per interval, aligned to multiples of `intervalMs`, oldest first, then by category; without empty ones. */
  sentiment(filter: NewsFilter, intervalMs: number): Promise<SentimentRow[]>;
  /** Items received from `from` (inclusive) to `to` (exclusive) whose move is not measured, oldest first. */
  due(horizonMinutes: number, from: number, to: number, limit: number): Promise<DueMove[]>;
  /** Each move is stored with the current model and label of its item. */
  putMoves(moves: readonly Move[]): Promise<void>;
  /** Adds moves of items that are not stored. Moves that exist already stay as they are. */
  putMeasured(moves: readonly MeasuredMove[]): Promise<void>;
  /**
   * Measured moves by model, category, label and horizon. A hit is a rise after `bullish`, a fall after `bearish`, and
   * after `neutral` a move smaller than the mean absolute move of all items of the category and horizon.
   */
  calibration(): Promise<{ readonly rows: CalibrationRow[]; readonly since: number | null }>;
  /** Deletes items published before `time` and returns how many; measured moves stay. */
  prune(time: number): Promise<number>;
}

/** By UTF-16 code units, as both databases compare text. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Order of calibration rows: model, category, label, horizon. */
export const compareCalibration = (a: CalibrationRow, b: CalibrationRow): number =>
  compareText(a.model, b.model) ||
  compareText(a.category, b.category) ||
  compareText(a.sentiment, b.sentiment) ||
  a.horizonMinutes - b.horizonMinutes;
