// What happens in a market. Flat, readonly, tagged. Times are the event's own, in integer milliseconds; prices and sizes
// are plain numbers in the instrument's units. `seq` and `prev` are given by the journal, so the engine never sees them.
import type { Timeframe } from '@tickwire/contract';
import type { EpochMs, MarketSymbol } from './brands.ts';

/** The taker's side: `buy` lifted the ask, `sell` hit the bid. */
export type Side = 'buy' | 'sell';
/** How a side was found where the feed does not tell it. */
export type SideMethod = 'quote_rule' | 'tick_rule';

/** A new best bid and ask. Sizes are 0 where the feed has none. */
export interface QuoteEvent {
  readonly kind: 'quote';
  readonly symbol: MarketSymbol;
  readonly time: EpochMs;
  readonly bid: number;
  readonly ask: number;
  readonly bidSize: number;
  readonly askSize: number;
}

export interface TradeEvent {
  readonly kind: 'trade';
  readonly symbol: MarketSymbol;
  readonly time: EpochMs;
  readonly price: number;
  readonly size: number;
  readonly side: Side;
  /** null: the feed told the side. */
  readonly sideMethod: SideMethod | null;
  /** The venue's own number of the trade, where it gives rising ones: what is missing or double shows by it. */
  readonly id?: number;
}

/** A minute that is known only as a bar: a stretch without ticks was filled from a source of bars. */
export interface MinuteEvent {
  readonly kind: 'minute';
  readonly symbol: MarketSymbol;
  readonly bar: Bar;
}

/** The passing of time. Live: the wall clock; replayed or pushed history: the latest time of the source. */
export interface ClockEvent {
  readonly kind: 'clock';
  readonly time: EpochMs;
}

/** The connection to a source was lost; what came meanwhile is unknown until a gap or a backfill says. */
export interface DisconnectEvent {
  readonly kind: 'disconnect';
  readonly symbols: readonly MarketSymbol[];
  readonly time: EpochMs;
}

/** Events of these symbols between the two times are missing for good. */
export interface GapEvent {
  readonly kind: 'gap';
  readonly symbols: readonly MarketSymbol[];
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly time: EpochMs;
}

/** What was missed came in after all, fetched from the venue: trades, or minutes as bars. It went before this. */
export interface BackfilledEvent {
  readonly kind: 'backfilled';
  readonly symbols: readonly MarketSymbol[];
  readonly count: number;
  /** Times of the first and the last of them. */
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly time: EpochMs;
}

/** Another source owns these symbols from now on. */
export interface FailoverEvent {
  readonly kind: 'failover';
  readonly symbols: readonly MarketSymbol[];
  readonly source: string;
  readonly time: EpochMs;
}

/** What happened to a feed, as opposed to what happened in a market. */
export type FeedNews = DisconnectEvent | GapEvent | BackfilledEvent | FailoverEvent;
export type FeedEvent = QuoteEvent | TradeEvent | FeedNews;
export type EngineInput = FeedEvent | MinuteEvent | ClockEvent;

/** A quote as it left the engine: with the size traded since the previous tick of the instrument. */
export interface TickEvent {
  readonly kind: 'tick';
  readonly symbol: MarketSymbol;
  readonly time: EpochMs;
  readonly bid: number;
  readonly ask: number;
  readonly bidSize: number;
  readonly askSize: number;
  readonly volume: number;
}

/** A trade as it left the engine, with the state of the order flow after it. */
export interface FlowEvent {
  readonly kind: 'flow';
  readonly symbol: MarketSymbol;
  readonly time: EpochMs;
  readonly price: number;
  readonly size: number;
  readonly side: Side;
  readonly sideMethod: SideMethod | null;
  readonly cumulativeDelta: number;
  /** −1…1 over the rolling window. */
  readonly imbalance: number;
  /** The passive side that holds the price, if any. */
  readonly absorption: Side | null;
  /** As in the trade. */
  readonly id?: number | undefined;
}

/** What a bar's prices are made of. */
export type BarBasis = 'trade' | 'bid';

export interface Bar {
  readonly time: EpochMs;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** Seller-initiated and buyer-initiated volume; both 0 on a bid-based bar without trades. */
  readonly bidVolume: number;
  readonly askVolume: number;
  readonly basis: BarBasis;
  /** The minute still ran when a venue told of it: prices to judge by, but no bar. Its ticks make that. */
  readonly partial?: true;
}

/** A bar has closed, or a late tick has changed a closed one (`amended`). */
export interface BarEvent {
  readonly kind: 'bar';
  readonly symbol: MarketSymbol;
  readonly timeframe: Timeframe;
  readonly bar: Bar;
  readonly amended: boolean;
}

export type EngineEvent = TickEvent | FlowEvent | BarEvent | MinuteEvent | ClockEvent | FeedNews;
