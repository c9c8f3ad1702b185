// An instrument: its symbol, price precision, contract terms and trading hours.
import type { InstrumentType } from '@tickwire/contract';
import type { HoursName } from './calendars.ts';

declare const brand: unique symbol;

/** Canonical upper-case instrument code, such as `EURUSD`. */
export type MarketSymbol = string & { readonly [brand]: 'MarketSymbol' };

export const asSymbol = (code: string): MarketSymbol => code.toUpperCase() as MarketSymbol;

/** What the prices of bars are: bids of quotes, or trades. */
export type BarSource = 'quotes' | 'trades';

export interface InstrumentSpec {
  readonly symbol: MarketSymbol;
  readonly name: string;
  readonly type: InstrumentType;
  /** Price units of one pip: 0.0001 for EURUSD, 0.01 for USDJPY. */
  readonly pipSize: number;
  /** Decimals of a price. One tick is 10^-digits. */
  readonly digits: number;
  /** Height of a level of volume profiles and footprints in price units. If left out: one pip. */
  readonly levelSize?: number;
  /** Units in one lot: of the base currency, ounces, coins, barrels, or money per point of an index. */
  readonly contractSize: number;
  /** What a unit of the contract size is: `EUR`, `troy ounces`, `USD per point`. */
  readonly contractUnit?: string;
  /** Currency of prices, profit and loss. Left out if the symbol ends with it, or if it is not known. */
  readonly currency?: string;
  /** Fraction of the notional: 0.0333 is 30:1. */
  readonly marginRate: number;
  readonly minLot: number;
  readonly maxLot: number;
  /** Name of its calendar in calendars.ts. */
  readonly hours: HoursName;
  /** What bars are made of. If left out: trades from the minute of the first one on, quotes before. */
  readonly bars?: BarSource;
  /** Left out for spot prices. A perpetual follows the spot price, but is not it. */
  readonly contract?: 'perpetual';
  /** What a perpetual follows, without the currency of its prices: `BTC`, `XAU`. */
  readonly underlying?: string;
  /** Of a perpetual: the first venue of the configuration that lists it. */
  readonly venue?: string;
  /** Public specifications that agree with these terms. Left out for the operator's own instruments. */
  readonly source?: string;
}

type Contract = Pick<InstrumentSpec, 'contract' | 'underlying' | 'venue'>;

/** What tells a perpetual from a spot price; nothing for spot prices. */
export const contractOf = ({
  contract,
  venue,
  underlying,
}: { [Field in keyof Contract]: Contract[Field] | undefined }): Contract => ({
  ...(contract !== undefined && { contract }),
  ...(venue !== undefined && { venue }),
  ...(underlying !== undefined && { underlying }),
});
