// Parameters of the REST calls, and response types that depend on them.
import type {
  AuditAction,
  EvidenceLine,
  InvitationRequest,
  KeyRequest,
  MarketResponse,
  NewsDetail,
  NewsList,
  OhlcvBarDetail,
  PublisherSort,
  Signal,
  SignalDetail,
  SignalRequest,
  Timeframe,
  TrackRecord,
  UsageHistory,
} from '../common/contract.ts';

/** A point in time: a Date, an ISO 8601 string, or Unix time in seconds or milliseconds. */
export type Instant = Date | string | number;

/** Response of {@link TickwireClient.market}. */
export type MarketHistory = MarketResponse;

/** Response of {@link TickwireClient.market} with `detail: true`. */
export interface MarketDetailHistory extends Omit<MarketResponse, 'ohlcv'> {
  /** Bars in ascending order, with the volumes at the bid and at the ask. The last one may still be forming. */
  readonly ohlcv: OhlcvBarDetail[];
}

/** Response of {@link TickwireClient.news} with `detail: true`. */
export interface NewsDetailList {
  /** Headlines, newest first. */
  readonly items: NewsDetail[];
}

/** Category of a headline. */
export type NewsCategory = NewsList['items'][number]['category'];

/**
 * Which bars to return.
 * @example await client.market('XAUUSD', { timeframe: '5m', bars: 200, before: '2026-03-02T12:00:00Z' });
 */
export interface MarketOptions {
  /** Length of a bar. Default `1h`. */
  readonly timeframe?: Timeframe;
  /** Number of bars, 1 to 500. Default 100. */
  readonly bars?: number;
  /** Only bars that start before this time. To page back, pass the `time` of the oldest bar you have. */
  readonly before?: Instant;
  /** Only bars that start at or after this time. Without `before`, bars are counted forward from here. */
  readonly from?: Instant;
  /** Only bars that start at or before this time. */
  readonly to?: Instant;
  /** Adds `bid_volume` and `ask_volume`, the sold and the bought volume, to each bar. Default false. */
  readonly detail?: boolean;
}

/**
 * Which bars to return.
 * @example await client.bars('XAUUSD', { interval: '90m', from: '2026-01-01', limit: 1_000 });
 */
export interface BarsOptions {
  /** Any number of minutes up to a day (`7m`, `90m`, `2h`), `1d`, `1w` or `1M` (a month). Default `1h`. */
  readonly interval?: string;
  /** When a day starts: `utc`, `ny` (17:00 in New York), or at midnight of an IANA zone. Default `utc`. */
  readonly align?: string;
  /** Start of the range: the oldest bars from there on. Default: the newest bars. */
  readonly from?: Instant;
  /** End of the range. Default: now. */
  readonly to?: Instant;
  /** Maximum number of bars, up to 10,000. Default 500. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly cursor?: string;
}

/**
 * Which range a volume profile covers, at most 31 days.
 * @example await client.profile('BTCUSD', { from: '2026-03-02', to: '2026-03-03', level: 50 });
 */
export interface ProfileOptions {
  /** Start of the range. Default: 00:00 UTC of the day of `to`. */
  readonly from?: Instant;
  /** End of the range. Default: now. */
  readonly to?: Instant;
  /** Height of a price level in price units. Default: that of the instrument. */
  readonly level?: number;
}

/**
 * Which footprints to return.
 * @example await client.footprint('BTCUSD', { interval: '15m', limit: 50, level: 20 });
 */
export interface FootprintOptions extends BarsOptions {
  /** Maximum number of bars, up to 1,000. Default 100. */
  readonly limit?: number;
  /** Height of a price level in price units. Default: that of the instrument. */
  readonly level?: number;
}

/**
 * Which range to examine, at most 50,000 bars.
 * @example await client.coverage('EURUSD', { timeframe: '1m', from: Date.now() - 3_600_000 });
 */
export interface CoverageOptions {
  /** Length of a bar. Default `1h`. */
  readonly timeframe?: Timeframe;
  /** Start of the range. Default: one day before `to`. */
  readonly from?: Instant;
  /** End of the range. Default: now. */
  readonly to?: Instant;
}

/**
 * Which range of trading hours to return, at most 366 days.
 * @example await client.hours('UK100', { from: '2026-12-20', to: '2027-01-05' });
 */
export interface HoursOptions {
  /** Start of the range. Default: now, or seven days before `to`. */
  readonly from?: Instant;
  /** End of the range. Default: seven days after `from`. */
  readonly to?: Instant;
}

/**
 * What to return about instruments.
 * @example await client.symbols({ detail: true });
 */
export interface SymbolsOptions {
  /** Adds digits, currencies, what bars are made of, the source of the terms and trading hours to each instrument. Default false. */
  readonly detail?: boolean;
}

/**
 * A trade, an account and the part of it that the stop may cost.
 * @example await client.positionSize({ symbol: 'XAUUSD', entry: 2412, stop_loss: 2400, balance: 5_000, currency: 'EUR' });
 */
export interface PositionSizeOptions {
  /** Instrument code. */
  readonly symbol: string;
  /** Entry price. */
  readonly entry: number;
  /** Stop loss price. */
  readonly stop_loss: number;
  /** Balance of the account, in its currency. */
  readonly balance: number;
  /** Currency of the account. Default `USD`. */
  readonly currency?: string;
  /** Part of the balance that the stop may cost. Default 1. */
  readonly risk_percent?: number;
}

/**
 * Which signals to return.
 * @example await client.signals({ status: 'closed', symbol: 'EURUSD', limit: 100 });
 */
export interface SignalOptions {
  /** Default `active`. */
  readonly status?: 'active' | 'closed' | 'all';
  /** Only signals in this instrument. */
  readonly symbol?: string;
  /** Only signals of this publisher, by display name or id. */
  readonly user?: string;
  /** Only signals published before the one with this id. To page back, pass the id of the last signal you have. */
  readonly before?: string;
  /** Most signals to return, 1 to 500. Default 50. */
  readonly limit?: number;
  /** Returns each signal in detail. Default false. */
  readonly detail?: boolean;
}

/** Response of {@link TickwireClient.signals}. */
export interface SignalPage {
  /** Signals, newest first. */
  readonly items: Signal[];
  /** Number of items in this response. */
  readonly count: number;
}

/** Response of {@link TickwireClient.signals} with `detail: true`. */
export interface SignalDetailList {
  /** Signals, newest first. */
  readonly items: SignalDetail[];
  /** Number of items in this response. */
  readonly count: number;
}

/**
 * Which log records to return.
 * @example await client.signalLog({ after: 999, limit: 500 });
 */
export interface SignalLogOptions {
  /** Only records with a number above this. Default −1, which starts at the first record. */
  readonly after?: number;
  /** Most records to return, 1 to 1,000. Default 1,000. */
  readonly limit?: number;
}

/**
 * Which kept heads to return.
 * @example await client.signalHeads({ after: 1_000, limit: 1_000 });
 */
export interface SignalHeadsOptions {
  /** Only heads of records with a number above this. Default −1, which starts at the first head. */
  readonly after?: number;
  /** Most heads to return, 1 to 1,000. Default 100. */
  readonly limit?: number;
}

/**
 * Which ticks of a day to return.
 * @example await client.evidence('2026-03-02', 'XAUUSD', { after: 402_911 });
 */
export interface EvidenceOptions {
  /** Only ticks of the tape with a `seq` above this, even if the day is sealed. Default: the sealed file, or the whole tape. */
  readonly after?: number;
}

/**
 * The ticks of one instrument on one UTC day.
 * @example const { sealed, sha256, lines } = await client.evidence('2026-03-02', 'XAUUSD');
 */
export interface EvidenceDay {
  /** Whether the lines are those of the sealed file. */
  readonly sealed: boolean;
  /** SHA-256 of the sealed file as the log has it, hex; `null` if the lines are read from the tape. */
  readonly sha256: string | null;
  /** In order of `seq`. Can be read once; ending the loop early closes the connection. */
  readonly lines: AsyncGenerator<EvidenceLine, void, undefined>;
}

/**
 * Which headlines to return.
 * @example await client.news({ category: ['gold', 'macro'], since: Date.now() - 86_400_000, limit: 50 });
 */
export interface NewsOptions {
  /** Only headlines of these categories. Default: all. */
  readonly category?: NewsCategory | readonly NewsCategory[];
  /** Only headlines that mention this instrument. */
  readonly symbol?: string;
  /** Only headlines with a `timestamp` after this time. */
  readonly since?: Instant;
  /** Only headlines after this one in the list, by id, or with a `timestamp` before this time. */
  readonly before?: Instant;
  /** Only headlines with a `timestamp` at or after this time. */
  readonly from?: Instant;
  /** Only headlines with a `timestamp` at or before this time. */
  readonly to?: Instant;
  /** Adds id, URL, source, stated publication time, model, symbols, cluster and revision to each headline. Default false. */
  readonly detail?: boolean;
  /** Most headlines to return, 1 to 200. Default 20. */
  readonly limit?: number;
}

/**
 * Which headlines to count.
 * @example await client.newsSentiment({ period: 'week', symbol: 'XAUUSD' });
 */
export interface NewsSentimentOptions {
  /** 24 hours by hour, 7 days by six hours, or 30 days by day. Default `day`. */
  readonly period?: 'day' | 'week' | 'month';
  /** Only headlines of these categories. Default: all. */
  readonly category?: NewsCategory | readonly NewsCategory[];
  /** Only headlines that mention this instrument. */
  readonly symbol?: string;
}

/** A signal as TradingView sends it in an alert: prices may be strings, and tickers may have an exchange prefix. */
export interface TradingViewAlert extends Pick<SignalRequest, 'symbol' | 'expires_at' | 'note'> {
  /** `long` means buy and `short` means sell. */
  readonly direction: 'buy' | 'long' | 'sell' | 'short';
  /** Entry price. */
  readonly entry: number | string;
  /** Stop price: below the entry of a buy, above the entry of a sell. */
  readonly stop_loss: number | string;
  /** Target price: above the entry of a buy, below the entry of a sell. */
  readonly take_profit: number | string;
  /** Identifies the alert: a repetition within 24 hours returns the first response and publishes nothing. */
  readonly id?: string;
}

/**
 * Which period to report.
 * @example await client.usageHistory({ period: 'month' });
 */
export interface UsageHistoryOptions {
  /** The last hour by minute, 24 hours by hour, or 30 days by day. Default `day`. */
  readonly period?: UsageHistory['period'];
}

/**
 * Which signals of a publisher to return.
 * @example await client.publicRecords('House Trend', { before: 812 });
 */
export interface PublicRecordOptions {
  /** Only signals published by a record with a number below this: `next` of the previous page. Default: all. */
  readonly before?: number;
  /** Most signals to return, 1 to 100. Default 100. */
  readonly limit?: number;
}

/**
 * Which publishers to return, and in which order. Filters by symbol and period select the signals of the figures; rank,
 * status, decisions, evidence and warnings always cover the whole record.
 * @example await client.publishers({ status: ['ranked'], sort: 'total_r', limit: 10 });
 */
export interface PublisherListOptions {
  /** Most publishers to return, 1 to 200. Default 50. */
  readonly limit?: number;
  /** Publishers to skip: `next` of the previous page. Default 0. */
  readonly offset?: number;
  /** Only publishers with signals on this instrument. */
  readonly symbol?: string;
  /** Figures of signals closed in the last 30, 90 or 365 days. Default: all. */
  readonly period?: 30 | 90 | 365;
  /** Minimum number of decisions. Default 0. */
  readonly min_decisions?: number;
  /** Maximum of `max_drawdown_r`, in R. Default: any. */
  readonly max_drawdown?: number;
  /** Only publishers with one of these statuses. Default: all. */
  readonly status?: readonly TrackRecord['status'][];
  /** Field to sort by. Default `rank`. */
  readonly sort?: PublisherSort;
  /** Default: `asc` for `rank`, `name` and the drawdowns, `desc` for the others. */
  readonly order?: 'asc' | 'desc';
}

/**
 * How to compute the results of one publisher.
 * @example await client.publisher('House Trend', { risk: 0.5 });
 */
export interface PublisherOptions {
  /** Percent of the account at risk on each decision, 0.01 to 100, for `months`. Default 1. */
  readonly risk?: number;
}

/**
 * Which WebSocket connections to return.
 * @example await client.admin.streams({ limit: 100 });
 */
export interface StreamReportOptions {
  /** Most connections to return, 1 to 5,000. Default 500. */
  readonly limit?: number;
}

/**
 * Which entries of the audit log to return.
 * @example await client.admin.auditLog({ account: 'Ada', from: '2026-03-01', limit: 500 });
 */
export interface AuditOptions {
  /** Entries about or by this account: its id or its display name. Default: all. */
  readonly account?: string;
  /** Entries with this action. Default: all. */
  readonly action?: AuditAction;
  /** Entries at or after this time. */
  readonly from?: Instant;
  /** Entries before this time. */
  readonly to?: Instant;
  /** Entries older than the one with this id; `next_before` of the previous page. */
  readonly before?: number;
  /** Most entries to return, 1 to 1,000. Default 100. */
  readonly limit?: number;
}

/**
 * An API key to create.
 * @example await client.keys.create({ name: 'bot', scopes: ['read', 'publish'], expires_days: 90 });
 */
export interface NewKey extends Pick<KeyRequest, 'name'> {
  /** What the key may do. Default `['read']`. */
  readonly scopes?: readonly KeyRequest['scopes'][number][];
  /** Days until the key expires; `null` for never. Default `null`. */
  readonly expires_days?: KeyRequest['expires_days'];
}

/**
 * An invitation to create.
 * @example await client.admin.createInvitation({ tier: 'pro', expires_days: 14 });
 */
export interface NewInvitation extends Pick<InvitationRequest, 'tier'> {
  /** Days until the invitation expires, 1 to 365. Default 7. */
  readonly expires_days?: InvitationRequest['expires_days'];
}
