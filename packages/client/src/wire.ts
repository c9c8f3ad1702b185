// What a caller hands in and gets back, beside what the contract names itself.
import type {
  BarMessage,
  InvitationRequest,
  KeyRequest,
  MarketResponse,
  MarketTick,
  NewsDetail,
  NewsList,
  NewsPublished,
  NewsRevised,
  OhlcvBarDetail,
  OrderFlowTick,
  SignalClosed,
  SignalPublished,
  SignalRequest,
  Timeframe,
  UsageHistory,
} from './contract.ts';

export type MarketHistory = MarketResponse;
/** With `detail`. */
export interface MarketDetailHistory extends Omit<MarketResponse, 'ohlcv'> {
  readonly ohlcv: OhlcvBarDetail[];
}
/** With `detail`. */
export interface NewsDetailList {
  readonly items: NewsDetail[];
}
export type NewsCategory = NewsList['items'][number]['category'];

/** What each stream pushes. `bars` come over the market channel. */
export interface StreamMessages {
  readonly market: MarketTick;
  readonly bars: BarMessage;
  readonly orderflow: OrderFlowTick;
  readonly signals: SignalPublished | SignalClosed;
  readonly news: NewsPublished | NewsRevised;
}
export type StreamKind = keyof StreamMessages;
export type MessageOf<K extends StreamKind> = StreamMessages[K];

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
  /** Each bar with `bid_volume` and `ask_volume`: what sellers and what buyers took. */
  readonly detail?: boolean;
}

export interface CoverageOptions {
  readonly timeframe?: Timeframe;
  readonly from?: Instant;
  readonly to?: Instant;
}

export interface SignalOptions {
  readonly status?: 'active' | 'closed' | 'all';
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
  /** Only items behind the one with this id, or with a `timestamp` before this time. */
  readonly before?: Instant;
  /** Only items with a `timestamp` at or after this. */
  readonly from?: Instant;
  /** Only items with a `timestamp` at or before this. */
  readonly to?: Instant;
  /** Each item with its id, address, source, model, symbols, cluster and revision. */
  readonly detail?: boolean;
  /** 1 to 200. */
  readonly limit?: number;
}

export interface NewsSentimentOptions {
  readonly period?: 'day' | 'week' | 'month';
  readonly category?: NewsCategory | readonly NewsCategory[];
  /** Only items that mention this instrument. */
  readonly symbol?: string;
}

/** An alert as TradingView sends it: prices may be texts, tickers may have their exchange before them. */
export interface TradingViewAlert extends Pick<SignalRequest, 'symbol' | 'expires_at' | 'note'> {
  readonly direction: 'buy' | 'long' | 'sell' | 'short';
  readonly entry: number | string;
  readonly stop_loss: number | string;
  readonly take_profit: number | string;
  /** The same id within 24 hours gets the first answer again. */
  readonly id?: string;
}

export interface UsageHistoryOptions {
  /** The last hour by minutes, day by hours, or 30 days by days. Default `day`. */
  readonly period?: UsageHistory['period'];
}

/** A key as it is asked for. */
export interface NewKey extends Pick<KeyRequest, 'name'> {
  /** `read` where left out. */
  readonly scopes?: readonly KeyRequest['scopes'][number][];
  /** Good without end where left out. */
  readonly expires_days?: KeyRequest['expires_days'];
}

/** An invitation as it is asked for. */
export interface NewInvitation extends Pick<InvitationRequest, 'tier'> {
  /** 1 to 365. Default 7. */
  readonly expires_days?: InvitationRequest['expires_days'];
}
