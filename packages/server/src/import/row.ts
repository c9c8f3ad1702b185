// What a line of any file becomes. Times are integer milliseconds UTC (fractions of a millisecond are floored: a tick
// never moves into the next minute); prices and sizes are in the instrument's units.
import type { Timeframe } from '@tickwire/contract';
import type { BarBasis, EpochMs, Side } from '@tickwire/engine';

export interface QuoteRow {
  readonly kind: 'quote';
  readonly time: EpochMs;
  readonly bid: number;
  readonly ask: number;
  /** 0 where the source has none. */
  readonly bidSize: number;
  readonly askSize: number;
  /** The bid is above the ask. Kept, because the source's own bars count such quotes too; whoever trades on it may not. */
  readonly crossed: boolean;
}

export interface TradeRow {
  readonly kind: 'trade';
  readonly time: EpochMs;
  readonly price: number;
  /** 0 where the source has none. */
  readonly size: number;
  /** The taker's side; null where the source does not tell it. */
  readonly side: Side | null;
  /** The venue's own number of the trade; null where the source has none. */
  readonly id: number | null;
}

export interface Prices {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

export interface BarRow extends Prices {
  readonly kind: 'bar';
  /** Start of the bar. */
  readonly time: EpochMs;
  readonly timeframe: Timeframe;
  readonly volume: number;
  /** Seller-initiated and buyer-initiated volume; both 0 where the source does not tell them. */
  readonly bidVolume: number;
  readonly askVolume: number;
  readonly basis: BarBasis;
  /** The same bar of the ask, where the source has both. */
  readonly ask: Prices | null;
}

export type Row = QuoteRow | TradeRow | BarRow;
