// Parameters of the calls for market history.
import type { BarField, TickField, TickKind, Timeframe } from '../common/contract.ts';
import type { Instant } from '../common/instant.ts';

/**
 * Which bars to return.
 * @example await client.bars('XAUUSD', { interval: '90m', from: '2026-01-01', limit: 1_000 });
 */
export interface BarsOptions {
  /** Any number of minutes up to a day (`7m`, `90m`, `2h`), `1d`, `1w` or `1M` (a month). Default `1h`. */
  readonly interval?: string;
  /** When a day starts: `utc`, `ny` (17:00 in New York), or at midnight of an IANA zone. Default `utc`. */
  readonly align?: string;
  /** Start of the range: the oldest bars from there on. Default: the newest bars. */
  readonly from?: Instant;
  /** End of the range. Default: now. */
  readonly to?: Instant;
  /** Maximum number of bars, up to 10,000. Default 500. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly cursor?: string;
  /** Further fields of each bar. Default: none. */
  readonly fields?: readonly BarField[];
}

/**
 * Which ticks to return.
 * @example await client.ticks('BTCUSD', { kind: 'trades', from: '2026-11-16T09:30:00Z', limit: 10_000 });
 */
export interface TicksOptions {
  /** Default `quotes`. */
  readonly kind?: TickKind;
  /** Start of the range: the oldest ticks from there on. Default: the newest ticks. */
  readonly from?: Instant;
  /** End of the range. Default: now. */
  readonly to?: Instant;
  /** Maximum number of ticks, up to 10,000. Default 500. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly cursor?: string;
  /** Further fields of each tick. Default: none. */
  readonly fields?: readonly TickField[];
}

/**
 * Which range to examine, at most 50,000 bars.
 * @example await client.coverage('EURUSD', { timeframe: '1m', from: Date.now() - 3_600_000 });
 */
export interface CoverageOptions {
  /** Length of a bar. Default `1h`. */
  readonly timeframe?: Timeframe;
  /** Start of the range. Default: one day before `to`. */
  readonly from?: Instant;
  /** End of the range. Default: now. */
  readonly to?: Instant;
}
