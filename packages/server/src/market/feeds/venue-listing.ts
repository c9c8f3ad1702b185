// What a venue says of an instrument in its list.
import type { InstrumentSpec, MarketSymbol } from '@tickwire/engine';

/** An instrument that a venue lists, whether or not the service streams it. */
export interface VenueListing {
  /** The venue's spelling. */
  readonly venueSymbol: string;
  /** Ours: `BTCUSDT`, `XAUUSDT.P`. */
  readonly symbol: MarketSymbol;
  readonly name: string;
  readonly type: InstrumentSpec['type'];
  /** Decimals of prices. */
  readonly digits: number;
  /** Left out for spot. */
  readonly contract?: 'perpetual';
  /** What a perpetual follows, in our spelling without the quote currency: `BTC`, `XAU`. */
  readonly underlying?: string;
  /** Currency of prices. */
  readonly quoteCurrency: string;
  /** Units of the underlying per contract, if sizes are contracts. Default: 1. */
  readonly contractSize?: number;
  /** The newest price in the list, if it has one. */
  readonly lastPrice?: number;
}
