// A source: one connection to one venue. It knows the venue's protocol and nothing else; when to connect again, whether
// something is missing, and whom to tell is the supervisor's business.
import type { Bar, EpochMs, MarketSymbol, QuoteEvent, TradeEvent } from '@tickwire/engine';

export interface SourceSink {
  /** Quotes and trades in the order the venue sent them. */
  events(events: readonly (QuoteEvent | TradeEvent)[]): void;
  /** A sign of life without news, such as a heartbeat. */
  alive(): void;
  /** A message that is not understood, or says something is wrong: named, counted, never thrown. */
  complain(what: string): void;
}

export interface SourceLink {
  close(): void;
  /** Settles when the connection is gone, with the reason. */
  readonly closed: Promise<string>;
}

/** A trade by which a venue finds those after it. */
export interface KnownTrade {
  readonly id: number;
  readonly time: EpochMs;
}

export interface MissedBounds {
  /** Ids up to and excluding this one; up to the newest where left out. */
  readonly before?: number;
  /** So many trades or more, in pages, are not worth asking for. */
  readonly limit?: number;
}

export interface Source {
  /** Lower case, as in the configuration: `binance`. */
  readonly name: string;
  readonly symbols: readonly MarketSymbol[];
  /** Silence in milliseconds after which a connection counts as dead while a market is open. */
  readonly staleMs: number;
  /** Connects and subscribes to all symbols; resolves once the venue has confirmed, rejects where it cannot be. */
  connect(sink: SourceSink): Promise<SourceLink>;
  /**
   * Trades of a symbol after one that came from this source, ascending and without holes. Null where the venue has no such
   * call, no longer holds them, or has more than may be asked for. Left out where the venue has none at all. Calls for
   * several symbols may run side by side: the source keeps the venue's pace.
   */
  missed?(symbol: MarketSymbol, after: KnownTrade, bounds?: MissedBounds): Promise<readonly TradeEvent[] | null>;
  /**
   * One-minute bars that begin at or after `from` and before `to`, ascending; minutes without a price are left out. Where
   * `to` is now, the minute that still runs is the last of them, and marked as partial. For a venue whose ticks cannot be had again but whose bars can. Rejects where the venue cannot be asked.
   */
  minutes?(symbol: MarketSymbol, from: EpochMs, to: EpochMs): Promise<readonly Bar[]>;
}
