// What venues publish of perpetuals beside prices. Not stored on the tape.
import type { EpochMs, MarketSymbol, Side } from '@tickwire/engine';

interface EventOfPerpetual {
  readonly symbol: MarketSymbol;
  readonly venue: string;
  readonly time: EpochMs;
}

/** All figures of a perpetual; `null` if the venue does not publish one, or has not sent it yet. */
export interface PerpetualEvent extends EventOfPerpetual {
  readonly kind: 'perpetual';
  readonly markPrice: number | null;
  readonly indexPrice: number | null;
  /** Of one interval, as a fraction. Positive: longs pay shorts. */
  readonly fundingRate: number | null;
  readonly fundingIntervalMs: number | null;
  readonly nextFundingTime: EpochMs | null;
  /** Units of the underlying. */
  readonly openInterest: number | null;
}

/** The venue closed a position by force. */
export interface LiquidationEvent extends EventOfPerpetual {
  readonly kind: 'liquidation';
  /** Of the order that closed the position: `sell` closes a long position. */
  readonly side: Side;
  readonly price: number;
  /** Units of the underlying. */
  readonly size: number;
}

export type AnyPerpetualEvent = PerpetualEvent | LiquidationEvent;
