// A mapper translates one raw message of a venue into quotes and trades. It never throws: a message that cannot be used
// becomes a complaint.
import type { EpochMs, MarketSymbol, PriceEvent, Side } from '@tickwire/engine';

/** What a venue publishes of a perpetual beside prices. Fields that a message lacks are left out. */
export interface PerpetualUpdate {
  readonly symbol: MarketSymbol;
  readonly time: EpochMs;
  readonly markPrice?: number;
  readonly indexPrice?: number;
  /** Of one funding interval, as a fraction: 0.0001 is 0.01 %. Positive: longs pay shorts. */
  readonly fundingRate?: number;
  readonly fundingIntervalMs?: number;
  readonly nextFundingTime?: EpochMs;
  /** Units of the underlying. */
  readonly openInterest?: number;
}

/** A position that the venue closed by force. */
export interface Liquidation {
  readonly symbol: MarketSymbol;
  readonly time: EpochMs;
  readonly price: number;
  /** Units of the underlying. */
  readonly size: number;
  /** Of the order that closed the position: `sell` closes a long position. */
  readonly side: Side;
}

export interface Mapped {
  readonly events: readonly PriceEvent[];
  readonly perpetuals?: readonly PerpetualUpdate[];
  readonly liquidations?: readonly Liquidation[];
  readonly complaints: readonly string[];
  /** Trades that were left out because they were seen before. */
  readonly duplicates?: number;
  /** Replies to subscribe requests; `error` is `null` if the request was granted. `refused`: the only symbol that it concerns. */
  readonly replies?: readonly {
    readonly request: string;
    readonly error: string | null;
    readonly refused?: MarketSymbol;
  }[];
  /** The venue announced that it will close the connection: why to reconnect now. */
  readonly closing?: string;
}

/** `receivedAt`: local time in milliseconds. */
export type Mapper = (text: string, receivedAt: number) => Mapped;

/** The venue's own spelling of a symbol → the instrument: `BTC/USD` → BTCUSD. */
export type SymbolMap = ReadonlyMap<string, MarketSymbol>;

export const NOTHING: Mapped = { events: [], complaints: [] };

/** A reply under this key concerns every request that is still open. */
export const ALL_REQUESTS = '*';

const DETAIL_LENGTH = 60;

/** Starts with a fixed name, by which complaints are counted; the detail is shortened and stripped of control characters. */
export function complaint(name: string, detail: unknown): string {
  const text = typeof detail === 'string' ? detail : String(JSON.stringify(detail));
  return `${name}: ${text.slice(0, DETAIL_LENGTH).replace(/[^\x20-\x7e]/g, '?')}`;
}

export const rejected = (name: string, detail: unknown): Mapped => ({
  events: [],
  complaints: [complaint(name, detail)],
});
