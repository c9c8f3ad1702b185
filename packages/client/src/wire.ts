// The types of the wire as a caller meets them. Taken from the contract by type only, so that its schemas (and Zod)
// never reach a browser bundle.
import type {
  Channel,
  ENDPOINTS,
  EndpointName,
  MarketTick,
  NewsDetail,
  NewsPublished,
  NewsRevised,
  OrderFlowTick,
  SIGNAL_STATUSES,
  SignalClosed,
  SignalPublished,
  Timeframe,
} from '@tickwire/contract';

/** What an endpoint answers with, straight from the endpoint table. */
export type ResponseOf<Name extends EndpointName> = (typeof ENDPOINTS)[Name]['response']['_zod']['output'];

export type InstrumentList = ResponseOf<'symbols'>;
export type MarketHistory = ResponseOf<'market'>;
export type QuoteList = ResponseOf<'quotes'>;
export type SignalList = ResponseOf<'signals'>;
export type ActiveSignal = ResponseOf<'publishSignal'>;
export type ClosedSignal = ResponseOf<'closeSignal'>;
export type NewsList = ResponseOf<'news'>;
/** With `detail`. */
export interface NewsDetailList {
  readonly items: NewsDetail[];
}
export type NewsCategory = NewsList['items'][number]['category'];

/** What each channel pushes. */
export interface ChannelMessages {
  readonly market: MarketTick;
  readonly orderflow: OrderFlowTick;
  readonly signals: (typeof SignalPublished)['_zod']['output'] | (typeof SignalClosed)['_zod']['output'];
  readonly news: NewsPublished | NewsRevised;
}
export type MessageOf<C extends Channel> = ChannelMessages[C];

/** A point in time: a Date, an ISO 8601 string, or Unix time in seconds or milliseconds. */
export type Instant = Date | string | number;

export interface MarketOptions {
  readonly timeframe?: Timeframe;
  /** 1 to 500. */
  readonly bars?: number;
  /** Exclusive: the `time` of the oldest bar at hand pages back. */
  readonly before?: Instant;
  readonly from?: Instant;
  readonly to?: Instant;
}

export interface SignalOptions {
  readonly status?: (typeof SIGNAL_STATUSES)[number];
  readonly symbol?: string;
  /** The publisher's display name or id. */
  readonly user?: string;
  /** Id of a signal: only those published before it. */
  readonly before?: string;
  /** 1 to 500. */
  readonly limit?: number;
}

export interface LogOptions {
  /** Only records with a number above this. */
  readonly after?: number;
  /** 1 to 1000. */
  readonly limit?: number;
}

export interface NewsOptions {
  readonly category?: NewsCategory | readonly NewsCategory[];
  /** Only items that mention this instrument. */
  readonly symbol?: string;
  /** Only items with a `timestamp` after this. */
  readonly since?: Instant;
  /** Each item with its id, address, source, model, symbols, cluster and revision. */
  readonly detail?: boolean;
  /** 1 to 200. */
  readonly limit?: number;
}
