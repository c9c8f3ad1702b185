// Parameters of the calls for headlines, and response types that depend on them.
import type { NewsDetail, NewsList } from '../common/contract.ts';
import type { Instant } from '../common/instant.ts';

/** Category of a headline. */
export type NewsCategory = NewsList['items'][number]['category'];

/** Response of {@link TickwireClient.news} with `detail: true`. */
export interface NewsDetailList {
  /** Headlines, newest first. */
  readonly items: NewsDetail[];
}

/**
 * Which headlines to return.
 * @example await client.news({ category: ['gold', 'macro'], since: Date.now() - 86_400_000, limit: 50 });
 */
export interface NewsOptions {
  /** Only headlines of these categories. Default: all. */
  readonly category?: NewsCategory | readonly NewsCategory[];
  /** Only headlines that mention this instrument. */
  readonly symbol?: string;
  /** Only headlines with a `timestamp` after this time. */
  readonly since?: Instant;
  /** Only headlines after this one in the list, by id, or with a `timestamp` before this time. */
  readonly before?: Instant;
  /** Only headlines with a `timestamp` at or after this time. */
  readonly from?: Instant;
  /** Only headlines with a `timestamp` at or before this time. */
  readonly to?: Instant;
  /** Adds id, URL, source, stated publication time, model, symbols, cluster and revision to each headline. Default false. */
  readonly detail?: boolean;
  /** Most headlines to return, 1 to 200. Default 20. */
  readonly limit?: number;
}

/**
 * Which headlines to count.
 * @example await client.newsSentiment({ period: 'week', symbol: 'XAUUSD' });
 */
export interface NewsSentimentOptions {
  /** 24 hours by hour, 7 days by six hours, or 30 days by day. Default `day`. */
  readonly period?: 'day' | 'week' | 'month';
  /** Only headlines of these categories. Default: all. */
  readonly category?: NewsCategory | readonly NewsCategory[];
  /** Only headlines that mention this instrument. */
  readonly symbol?: string;
}
