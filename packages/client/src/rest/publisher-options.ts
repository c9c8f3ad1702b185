// Parameters of the calls for publishers.
import type { PublisherSort, TrackRecord } from '../common/contract.ts';

/**
 * Which publishers to return, and in which order. Filters by symbol and period select the signals of the figures; rank,
 * status, decisions, evidence and warnings always cover the whole record.
 * @example await client.publishers({ status: ['ranked'], sort: 'total_r', limit: 10 });
 */
export interface PublisherListOptions {
  /** Most publishers to return, 1 to 200. Default 50. */
  readonly limit?: number;
  /** Publishers to skip: `next` of the previous page. Default 0. */
  readonly offset?: number;
  /** Only publishers with signals on this instrument. */
  readonly symbol?: string;
  /** Figures of signals closed in the last 30, 90 or 365 days. Default: all. */
  readonly period?: 30 | 90 | 365;
  /** Minimum number of decisions. Default 0. */
  readonly min_decisions?: number;
  /** Maximum of `max_drawdown_r`, in R. Default: any. */
  readonly max_drawdown?: number;
  /** Only publishers with one of these statuses. Default: all. */
  readonly status?: readonly TrackRecord['status'][];
  /** Field to sort by. Default `rank`. */
  readonly sort?: PublisherSort;
  /** Default: `asc` for `rank`, `name` and the drawdowns, `desc` for the others. */
  readonly order?: 'asc' | 'desc';
}

/**
 * How to compute the results of one publisher.
 * @example await client.publisher('House Trend', { risk: 0.5 });
 */
export interface PublisherOptions {
  /** Percent of the account at risk on each decision, 0.01 to 100, for `months`. Default 1. */
  readonly risk?: number;
  /** Adds `windows`: results near high-impact calendar events, and without them. Default false. */
  readonly windows?: boolean;
}

/**
 * Which signals of a publisher to return.
 * @example await client.publicRecords('House Trend', { before: 812 });
 */
export interface PublicRecordOptions {
  /** Only signals published by a record with a number below this: `next` of the previous page. Default: all. */
  readonly before?: number;
  /** Most signals to return, 1 to 100. Default 100. */
  readonly limit?: number;
}
