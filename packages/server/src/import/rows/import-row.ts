// A row of any file. Times are integer milliseconds in UTC, truncated, so that a tick never moves into the next minute.
// Prices and sizes are in the instrument's units.
import type { Bar, BarAlign, BarInterval, EpochMs, Side, SideMethod } from '@tickwire/engine';

export interface ImportQuote {
  readonly kind: 'quote';
  readonly time: EpochMs;
  readonly bid: number;
  readonly ask: number;
  /** 0 if the source has none. */
  readonly bidSize: number;
  readonly askSize: number;
  /** The bid is above the ask. Imported, because the source's bars include such quotes, but not a price to trade at. */
  readonly crossed: boolean;
}

export interface ImportTrade {
  readonly kind: 'trade';
  readonly time: EpochMs;
  readonly price: number;
  /** 0 if the source has none. */
  readonly size: number;
  /** The taker's side; `null` if the source does not have it. */
  readonly side: Side | null;
  /** How the source inferred the side; left out if the venue reported it, or nothing is said. */
  readonly sideMethod?: SideMethod;
  /** The venue's trade id; `null` if the source has none. */
  readonly id: number | null;
}

/** `bidVolume` and `askVolume` are both 0 if the source does not have them. */
export interface ImportBar extends Bar {
  readonly kind: 'bar';
  readonly timeframe: BarInterval;
  /** Where its day begins; left out for 00:00 UTC. */
  readonly align?: BarAlign;
}

export type ImportRow = ImportQuote | ImportTrade | ImportBar;
