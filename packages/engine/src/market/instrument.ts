// An instrument: its symbol, price precision, contract terms and trading hours.
import type { InstrumentType } from '@tickwire/contract';

declare const brand: unique symbol;

/** Canonical upper-case instrument code, such as `EURUSD`. */
export type MarketSymbol = string & { readonly [brand]: 'MarketSymbol' };

export const asSymbol = (code: string): MarketSymbol => code.toUpperCase() as MarketSymbol;

/** Name of a weekly calendar in trading-hours.ts. */
export type HoursName = 'always' | 'forex' | 'metals' | 'us-index' | 'eu-index' | 'asia-index' | 'energy' | 'us-equity';

export interface InstrumentSpec {
  readonly symbol: MarketSymbol;
  readonly name: string;
  readonly type: InstrumentType;
  /** Price units of one pip: 0.0001 for EURUSD, 0.01 for USDJPY. */
  readonly pipSize: number;
  /** Decimals of a price. One tick is 10^-digits. */
  readonly digits: number;
  /** Units of the base in one lot. */
  readonly contractSize: number;
  /** Fraction of the notional: 0.0333 is 30:1. */
  readonly marginRate: number;
  readonly minLot: number;
  readonly maxLot: number;
  readonly hours: HoursName;
}
