// Market events: flat, readonly and tagged by `kind`. Times are those of the event itself, in integer milliseconds; prices
// and sizes are plain numbers in the units of the instrument. The journal assigns `seq`, so the engine never sees it.
import type { Timeframe } from '@tickwire/contract';
import type { MarketSymbol } from './instrument.ts';
import type { EpochMs } from './time.ts';
import type { MinuteHistogram } from './volume-level.ts';

/** Side of the taker: `buy` lifted the ask, `sell` hit the bid. */
export type Side = 'buy' | 'sell';
/** How the side was inferred if the feed does not report it. */
export type SideMethod = 'quote_rule' | 'tick_rule';

/** A new best bid and ask. Sizes are 0 if the feed has none. */
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
  /** `null` if the feed reported the side. */
  readonly sideMethod: SideMethod | null;
  /** Trade id of the venue, if it assigns ascending ones. Reveals missing and duplicate trades. */
  readonly id?: number;
}

/** A minute that is known only as a bar: a period without ticks was filled from a source of bars. */
export interface MinuteEvent {
  readonly kind: 'minute';
  readonly symbol: MarketSymbol;
  readonly bar: Bar;
}

/**
 * Closed bars that were fetched from a venue. Nothing is judged by them. If some of them belong to bars that are still forming,
 * the event also has the other closed bars of those.
 */
export interface HistoryEvent {
  readonly kind: 'history';
  readonly symbol: MarketSymbol;
  /** By timeframe, ascending. */
  readonly bars: Partial<Readonly<Record<Timeframe, readonly Bar[]>>>;
}

/** The current time. Live: the wall clock. Replayed or pushed history: the latest time of the source. */
export interface ClockEvent {
  readonly kind: 'clock';
  readonly time: EpochMs;
}

/** The connection to a source was lost. Events are missing until a gap or a backfill is reported. */
export interface DisconnectEvent {
  readonly kind: 'disconnect';
  readonly symbols: readonly MarketSymbol[];
  readonly time: EpochMs;
}

/** Events of these symbols between the two times are lost permanently. */
export interface GapEvent {
  readonly kind: 'gap';
  readonly symbols: readonly MarketSymbol[];
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly time: EpochMs;
}

/** Missed trades, or missed minutes as bars, were fetched from the venue. They precede this event. */
export interface BackfilledEvent {
  readonly kind: 'backfilled';
  readonly symbols: readonly MarketSymbol[];
  readonly count: number;
  /** Times of the first and the last backfilled event. */
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly time: EpochMs;
}

/** Another source delivers these symbols from now on. */
export interface FailoverEvent {
  readonly kind: 'failover';
  readonly symbols: readonly MarketSymbol[];
  readonly source: string;
  readonly time: EpochMs;
}

/** A change in the state of a feed, as opposed to an event of the market. */
export type FeedStatusEvent = DisconnectEvent | GapEvent | BackfilledEvent | FailoverEvent;
/** A tick as its source has it. */
export type PriceEvent = QuoteEvent | TradeEvent;
export type FeedEvent = PriceEvent | FeedStatusEvent;
export type EngineInput = FeedEvent | MinuteEvent | HistoryEvent | ClockEvent;

/** A quote emitted by the engine, with the size traded since the previous tick of the instrument. */
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

/** A trade emitted by the engine, with the state of the order flow after it. */
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
  /** The passive side that absorbs the pressure, if any. */
  readonly absorption: Side | null;
  /** Same as `TradeEvent.id`. */
  readonly id?: number | undefined;
}

/** Source of the prices of a bar. */
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
  /** The minute had not ended when the venue reported it. Signals are judged by its prices, but its ticks make the bar. */
  readonly partial?: true;
}

/** A bar has closed, or a late tick has changed a closed bar (`amended`). */
export interface BarEvent {
  readonly kind: 'bar';
  readonly symbol: MarketSymbol;
  readonly timeframe: Timeframe;
  readonly bar: Bar;
  readonly amended: boolean;
  /** Volume at price of a minute that had trades. */
  readonly histogram?: MinuteHistogram;
}

export type EngineEvent = TickEvent | FlowEvent | BarEvent | MinuteEvent | HistoryEvent | ClockEvent | FeedStatusEvent;
