// A connector speaks the protocol of one venue: it connects, subscribes, and fetches missed data on request. Reconnecting,
// gap detection and publishing are the supervisor's tasks.
import type { Bar, EpochMs, MarketSymbol, PriceEvent, TradeEvent } from '@tickwire/engine';
import type { Liquidation, PerpetualUpdate } from './mapper.ts';
import type { VenueListing } from './venue-listing.ts';

/** Why a venue that works does not deliver a symbol. */
export type Refusal = 'not offered' | 'not trading';

export interface ConnectorSink {
  /** Quotes and trades in the order the venue sent them. */
  events(events: readonly PriceEvent[]): void;
  /** A heartbeat, or another message without quotes and trades. */
  alive(): void;
  /** A message that cannot be used, or that reports a problem. Counted and logged, never thrown. */
  complain(complaint: string): void;
  perpetuals?(updates: readonly PerpetualUpdate[]): void;
  liquidations?(liquidations: readonly Liquidation[]): void;
  /** Trades that were left out because they were seen before. */
  duplicates?(count: number): void;
  /** The venue does not deliver this symbol, and goes on with the others. */
  refused?(symbol: MarketSymbol, why: Refusal): void;
}

export interface VenueConnection {
  close(): void;
  /** Settles with the reason when the connection has ended. */
  readonly closed: Promise<string>;
}

/** A trade after which a venue is asked for the following ones. */
export interface TradePosition {
  readonly id: number;
  readonly time: EpochMs;
}

export interface TradeRange {
  /** Trade ids below this one; up to the newest trade if left out. */
  readonly before?: number;
  /** Do not fetch if there are more trades than this. */
  readonly limit?: number;
}

/** What a venue states about its prices. */
export interface SourcePrecision {
  /** Decimals of its prices. */
  readonly digits: number;
  /** Size of a pip, if the venue has such a thing. */
  readonly pipSize?: number;
}

/** Closed bars with `from` ≤ start < `to`. Both are multiples of the length. */
export interface BarsRequest {
  readonly symbol: MarketSymbol;
  readonly length: '1m' | '1h' | '1d';
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** Nobody waits for the bars: all other requests to the venue come first. */
  readonly isBackground?: true;
}

export interface VenueConnector {
  /** Lower case, as in the configuration: `binance`. */
  readonly name: string;
  /** As the venue writes it: `Binance`. */
  readonly title: string;
  readonly symbols: readonly MarketSymbol[];
  /** Milliseconds of silence after which a connection counts as dead while a market is open. */
  readonly staleMs: number;
  /** Milliseconds by which the venue's clock is ahead of ours; `null` if that is not known. Left out if it cannot be known. */
  clockOffset?(): number | null;
  /** Whether the symbol has been subscribed to on the current connection. Left out: as soon as there is one. */
  isSubscribed?(symbol: MarketSymbol): boolean;
  /** Milliseconds that its subscribe requests take at the rate that the venue allows. Left out: next to nothing. */
  subscribeMs?(): number;
  /** Connects and subscribes to all symbols. Resolves once the venue has confirmed, rejects if it does not. */
  connect(sink: ConnectorSink): Promise<VenueConnection>;
  /**
   * Trades of a symbol after one that came from this connector, ascending and without missing ids. `null` if the venue no
   * longer has them or there are more than the limit. Left out if the venue has no such request. Calls for several symbols
   * may run in parallel: the connector observes the venue's rate limit.
   */
  fetchTrades?(symbol: MarketSymbol, after: TradePosition, range?: TradeRange): Promise<readonly TradeEvent[] | null>;
  /** Digits of each symbol that the venue lists. Left out if it does not publish them. Rejects if the request fails. */
  fetchPrecision?(): Promise<ReadonlyMap<MarketSymbol, SourcePrecision>>;
  /**
   * One-minute bars with `from` ≤ start < `to`, ascending; minutes without a price are left out. If `to` is now, the last
   * bar is the running minute, marked as partial. For a venue that offers past bars but no past ticks. Rejects if the
   * request fails.
   */
  fetchMinutes?(symbol: MarketSymbol, from: EpochMs, to: EpochMs): Promise<readonly Bar[]>;
  /** Closed bars of the past, as described in Venue. Left out if the venue has no such request. Rejects if it fails. */
  fetchBars?(request: BarsRequest): Promise<readonly Bar[]>;
  /** Most symbols that it can have. Left out: no limit. */
  readonly maxSymbols?: number;
  /** Everything that the venue lists. Left out if it has no list. Rejects if the request fails. */
  listInstruments?(): Promise<readonly VenueListing[]>;
  /** Adds a symbol, and subscribes to it if there is a connection. Left out if the connector cannot. */
  add?(venueSymbol: string, symbol: MarketSymbol): void;
  /** Whether a request waits for its turn in the venue's rate limit. Default: no. */
  isBusy?(): boolean;
  /** As described in Venue. */
  readonly barsPerRequest?: number;
  /** As described in Venue. */
  oldestBar?(length: BarsRequest['length'], now: EpochMs): EpochMs;
}
