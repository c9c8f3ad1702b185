// Parameters of the calls for market data, and response types that depend on them.
import type { MarketResponse, OhlcvBarDetail, Timeframe } from '../common/contract.ts';
import type { Instant } from '../common/instant.ts';

/** Response of {@link TickwireClient.market}. */
export type MarketHistory = MarketResponse;

/** Response of {@link TickwireClient.market} with `detail: true`. */
export interface MarketDetailHistory extends Omit<MarketResponse, 'ohlcv'> {
  /** Bars in ascending order, with the volumes at the bid and at the ask. The last one may still be forming. */
  readonly ohlcv: OhlcvBarDetail[];
}

/**
 * Which bars to return.
 * @example await client.market('XAUUSD', { timeframe: '5m', bars: 200, before: '2026-03-02T12:00:00Z' });
 */
export interface MarketOptions {
  /** Length of a bar. Default `1h`. */
  readonly timeframe?: Timeframe;
  /** Number of bars, 1 to 500. Default 100. */
  readonly bars?: number;
  /** Only bars that start before this time. To page back, pass the `time` of the oldest bar you have. */
  readonly before?: Instant;
  /** Only bars that start at or after this time. Without `before`, bars are counted forward from here. */
  readonly from?: Instant;
  /** Only bars that start at or before this time. */
  readonly to?: Instant;
  /** Adds `bid_volume` and `ask_volume`, the sold and the bought volume, to each bar. Default false. */
  readonly detail?: boolean;
}

/**
 * Instruments of an overview.
 * @example await client.overview({ symbols: ['EURUSD', 'XAUUSD'] });
 */
export interface OverviewOptions {
  /** Instrument codes, at most 200. Default: all instruments. */
  readonly symbols?: readonly string[];
}

/**
 * Which range of trading hours to return, at most 366 days.
 * @example await client.hours('UK100', { from: '2026-12-20', to: '2027-01-05' });
 */
export interface HoursOptions {
  /** Start of the range. Default: now, or seven days before `to`. */
  readonly from?: Instant;
  /** End of the range. Default: seven days after `from`. */
  readonly to?: Instant;
}

/**
 * What to return about instruments.
 * @example await client.symbols({ detail: true });
 */
export interface SymbolsOptions {
  /** Adds digits, currencies, what bars are made of, the source of the terms and trading hours to each instrument. Default false. */
  readonly detail?: boolean;
}

/**
 * A trade, an account and the part of it that the stop may cost.
 * @example await client.positionSize({ symbol: 'XAUUSD', entry: 2412, stop_loss: 2400, balance: 5_000, currency: 'EUR' });
 */
export interface PositionSizeOptions {
  /** Instrument code. */
  readonly symbol: string;
  /** Entry price. */
  readonly entry: number;
  /** Stop loss price. */
  readonly stop_loss: number;
  /** Balance of the account, in its currency. */
  readonly balance: number;
  /** Currency of the account. Default `USD`. */
  readonly currency?: string;
  /** Part of the balance that the stop may cost. Default 1. */
  readonly risk_percent?: number;
}
