// Generated from the contract by `node packages/server/bin/bun.mjs tools/client/generate.ts`. Do not edit.
// Options of REST methods.
import type {
  AlertState,
  AuditAction,
  BarField,
  CalendarImpact,
  DeliveryState,
  DocumentKind,
  Interval,
  NewsCategory,
  PublisherSort,
  TickField,
  TickKind,
  Timeframe,
} from '../common/contract.ts';
import type { Instant } from '../common/instant.ts';

/** Options of `symbols`. */
export interface SymbolsOptions {
  /** Add digits, currencies, price source, terms and trading hours. Default `false`. */
  readonly detail?: boolean;
}

/** Options of `market`. */
export interface MarketOptions {
  /** Length of a bar. One of `1m`, `5m`, `15m`, `1h`, `4h`, `1d`. Default `1h`. */
  readonly timeframe?: Timeframe;
  /** Maximum number of items. 1 to 500. Default `100`. */
  readonly bars?: number;
  /** End of the range (exclusive). */
  readonly before?: Instant;
  /** Start of the range (inclusive). */
  readonly from?: Instant;
  /** End of the range (exclusive). */
  readonly to?: Instant;
  /** Add `bid_volume` and `ask_volume` to each bar, and `stale` to the quote. Default `false`. */
  readonly detail?: boolean;
}

/** Options of `bars`. */
export interface BarsOptions {
  /** Length of a bar. `1m` is a minute, `1M` a month. Default `1h`. */
  readonly interval?: Interval;
  /** Start of a day: `utc`, `ny` (17:00 in New York), or a time zone (midnight). Default `utc`. */
  readonly align?: string;
  /** Start of the range (inclusive). */
  readonly from?: Instant;
  /** End of the range (exclusive). */
  readonly to?: Instant;
  /** Maximum number of bars. Default: 500 in JSON; a file has the whole range. 1 to 10,000. */
  readonly limit?: number;
  /** Value of `next` of the page before. */
  readonly cursor?: string;
  /**
   * Further fields of each bar. A value that was not recorded is `null`. Any of `trades`, `vwap`, `buy_volume`,
   * `sell_volume`, `delta`, `source`, `unrecorded_minutes`.
   */
  readonly fields?: readonly BarField[];
}

/** Options of `ticks`. */
export interface TicksOptions {
  /** Which ticks to return. One of `quotes`, `trades`. Default `quotes`. */
  readonly kind?: TickKind;
  /** Start of the range (inclusive). */
  readonly from?: Instant;
  /** End of the range (exclusive). */
  readonly to?: Instant;
  /** Maximum number of ticks. Default: 500 in JSON; a file has the whole range. 1 to 10,000. */
  readonly limit?: number;
  /** Value of `next` of the page before. */
  readonly cursor?: string;
  /** Further fields of each tick. Any of `seq`, `source`. */
  readonly fields?: readonly TickField[];
}

/** Options of `profile`. */
export interface ProfileOptions {
  /** Start of the range (inclusive). Default: 00:00 UTC of the day of `to`. */
  readonly from?: Instant;
  /** End of the range (exclusive). Default: now. */
  readonly to?: Instant;
  /** Height of a price level, a multiple of a tenth of the default of the instrument. */
  readonly level?: number;
}

/** Options of `footprint`. */
export interface FootprintOptions {
  /** Length of a bar. `1m` is a minute, `1M` a month. Default `1h`. */
  readonly interval?: Interval;
  /** Start of a day: `utc`, `ny` (17:00 in New York), or a time zone (midnight). Default `utc`. */
  readonly align?: string;
  /** Start of the range (inclusive). */
  readonly from?: Instant;
  /** End of the range (exclusive). */
  readonly to?: Instant;
  /** Maximum number of items. 1 to 1,000. Default `100`. */
  readonly limit?: number;
  /** Value of `next` of the page before. */
  readonly cursor?: string;
  /**
   * Further fields of each bar. A value that was not recorded is `null`. Any of `trades`, `vwap`, `buy_volume`,
   * `sell_volume`, `delta`, `source`, `unrecorded_minutes`.
   */
  readonly fields?: readonly BarField[];
  /** Height of a price level, a multiple of a tenth of the default of the instrument. */
  readonly level?: number;
}

/** Options of `coverage`. */
export interface CoverageOptions {
  /** Length of a bar. One of `1m`, `5m`, `15m`, `1h`, `4h`, `1d`. Default `1h`. */
  readonly timeframe?: Timeframe;
  /** Start of the range (inclusive). Default: a day before `to`. */
  readonly from?: Instant;
  /** End of the range (exclusive). Default: now. */
  readonly to?: Instant;
}

/** Options of `hours`. */
export interface HoursOptions {
  /** Start of the range (inclusive). Default: now, or 7 days before `to`. */
  readonly from?: Instant;
  /** End of the range (exclusive), at most 366 days after `from`. 7 days after it by default. */
  readonly to?: Instant;
}

/** Options of `perpetual`. */
export interface PerpetualOptions {
  /** Number of liquidations. 0 to 500. Default `20`. */
  readonly limit?: number;
}

/** Options of `positionSize`. */
export interface PositionSizeOptions {
  /** Instrument code (case-insensitive). */
  readonly symbol: string;
  /** Entry price. */
  readonly entry: number;
  /** Stop loss price. */
  readonly stop_loss: number;
  /** Balance of the account, in its currency. */
  readonly balance: number;
  /** Currency of the account. Default `USD`. */
  readonly currency?: string;
  /** Part of the balance that the stop may cost, in percent. Default `1`. */
  readonly risk_percent?: number;
}

/** Options of `overview`. */
export interface OverviewOptions {
  /** Instrument codes. All instruments by default. */
  readonly symbols?: readonly string[];
}

/** Options of `venueInstruments`. */
export interface VenueSearchOptions {
  /** Part of a symbol or name. */
  readonly q?: string;
}

/** Options of `udf.search`. */
export interface UdfSearchOptions {
  /** What the user typed: a part of a symbol or of a name. */
  readonly query?: string;
  /** Return only instruments of this type. Empty: all. */
  readonly type?: string;
  /** Return only instruments of this exchange. Empty: all. */
  readonly exchange?: string;
  /** Maximum number of items. 1 to 100. Default `30`. */
  readonly limit?: number;
}

/** Options of `udf.history`. */
export interface UdfHistoryOptions {
  /** Instrument code or `ticker`, with or without an exchange before a colon. */
  readonly symbol: string;
  /** Length of a bar: minutes, or `1D`, `1W`, `1M`. */
  readonly resolution: string;
  /** Start (inclusive); ignored with `countback`. */
  readonly from?: number;
  /** End of the range (exclusive). */
  readonly to: number;
  /** Number of bars before `to`, wherever they start. A response has at most 10,000. */
  readonly countback?: number;
}

/** Options of `udf.marks`. */
export interface UdfRange {
  /** Instrument code or `ticker`, with or without an exchange before a colon. */
  readonly symbol: string;
  /** Length of a bar: minutes, or `1D`, `1W`, `1M`. */
  readonly resolution: string;
  /** Start of the range (inclusive). */
  readonly from: number;
  /** End of the range (exclusive). */
  readonly to: number;
}

/** Options of `signals`. */
export interface SignalOptions {
  /** Which signals to return. One of `active`, `closed`, `all`. Default `active`. */
  readonly status?: 'active' | 'closed' | 'all';
  /** Instrument code. */
  readonly symbol?: string;
  /**
   * Display name (case-insensitive) or id of a publisher; `practice` in a replay. An unknown one gives an empty list.
   */
  readonly user?: string;
  /** Id of the last item of the previous page. */
  readonly before?: string;
  /** Maximum number of items. 1 to 500. Default `50`. */
  readonly limit?: number;
  /** Return SignalDetail items. Default `false`. */
  readonly detail?: boolean;
}

/** Options of `signal`. */
export interface SignalDetailOptions {
  /** Add `windows`: high-impact calendar events at the entry and exit. Default `false`. */
  readonly windows?: boolean;
}

/** Options of `signalLog`. */
export interface SignalLogOptions {
  /** Number after which to start. Default `-1`. */
  readonly after?: number;
  /** Maximum number of items. 1 to 1,000. Default `1000`. */
  readonly limit?: number;
}

/** Options of `publishers`. */
export interface PublisherListOptions {
  /** Maximum number of items. 1 to 200. Default `50`. */
  readonly limit?: number;
  /** Number of publishers to skip. Default `0`. */
  readonly offset?: number;
  /** Only publishers and figures of this instrument. */
  readonly symbol?: string;
  /** Number of days: figures cover only the signals that closed in this time. One of `30`, `90`, `365`. */
  readonly period?: 30 | 90 | 365;
  /** Minimum number of decisions. Default `0`. */
  readonly min_decisions?: number;
  /** Maximum of `max_drawdown_r`. 0 to 1,000,000. */
  readonly max_drawdown?: number;
  /** Only publishers with one of these statuses. Any of `ranked`, `unproven`, `losing`, `inactive`. */
  readonly status?: readonly ('ranked' | 'unproven' | 'losing' | 'inactive')[];
  /** Field to sort by. Default `rank`. */
  readonly sort?: PublisherSort;
  /** Default: `asc` for `rank`, `name` and drawdowns, else `desc`. `null` comes last. */
  readonly order?: 'asc' | 'desc';
}

/** Options of `publisher`. */
export interface PublisherOptions {
  /** Percent of the account at risk on each decision, for `months`. 0.01 to 100. Default `1`. */
  readonly risk?: number;
  /** Add `windows`: results near high-impact calendar events, and without them. Default `false`. */
  readonly windows?: boolean;
}

/** Options of `evidence`. */
export interface EvidenceOptions {
  /** Only ticks with a `seq` above this, from the tape even if the day is sealed. Default `-1`. */
  readonly after?: number;
}

/** Options of `signalHeads`. */
export interface SignalHeadsOptions {
  /** Number after which to start. Default `-1`. */
  readonly after?: number;
  /** Maximum number of items. 1 to 1,000. Default `100`. */
  readonly limit?: number;
}

/** Options of `publicRecords`. */
export interface PublicRecordOptions {
  /** Return only signals published by a record with a number below this. */
  readonly before?: number;
  /** Maximum number of items. 1 to 100. Default `100`. */
  readonly limit?: number;
}

/** Options of `news`. */
export interface NewsOptions {
  /** Only items of these categories. Any of `forex`, `gold`, `crypto`, `macro`. */
  readonly category?: NewsCategory | readonly NewsCategory[];
  /** Only items that mention this instrument. */
  readonly symbol?: string;
  /** Start of the range (exclusive). */
  readonly since?: Instant;
  /** Id of the last item of the previous page, or a time: only items with a `timestamp` before it. */
  readonly before?: Instant;
  /** Start of the range (inclusive). */
  readonly from?: Instant;
  /** End of the range (exclusive). */
  readonly to?: Instant;
  /** Return NewsDetail items. Default `false`. */
  readonly detail?: boolean;
  /** Maximum number of items. 1 to 200. Default `20`. */
  readonly limit?: number;
}

/** Options of `newsSentiment`. */
export interface NewsSentimentOptions {
  /** 24 hours by the hour, 7 days by 6 hours, or 30 days by day. One of `day`, `week`, `month`. Default `day`. */
  readonly period?: 'day' | 'week' | 'month';
  /** Only items of these categories. Any of `forex`, `gold`, `crypto`, `macro`. */
  readonly category?: NewsCategory | readonly NewsCategory[];
  /** Only items that mention this instrument. */
  readonly symbol?: string;
}

/** Options of `calendar`. */
export interface CalendarOptions {
  /** Start of the range (inclusive). Default: 1 day ago, or 8 days before `to` if that is earlier. */
  readonly from?: Instant;
  /**
   * End of the range (exclusive), at most 366 days after `from`. Default: 7 days from now, or after `from` if that is
   * later.
   */
  readonly to?: Instant;
  /** Countries: ISO 3166 codes, or `EU`. */
  readonly country?: string | readonly string[];
  /** Impacts. Any of `low`, `medium`, `high`. */
  readonly impact?: CalendarImpact | readonly CalendarImpact[];
  /** Only events that affect this instrument. */
  readonly symbol?: string;
  /** Maximum number of items. 1 to 1,000. Default `200`. */
  readonly limit?: number;
  /** Value of `next` of the page before. */
  readonly cursor?: string;
}

/** Options of `eventWindow`. */
export interface EventWindowOptions {
  /** Minutes before an event at which its window opens. 0 to 1,440. Default `2`. */
  readonly before?: number;
  /** Minutes after an event at which its window closes. 0 to 1,440. Default `2`. */
  readonly after?: number;
  /** Impacts. Any of `low`, `medium`, `high`. */
  readonly impact?: CalendarImpact | readonly CalendarImpact[];
  /** Time to judge. Default: now. */
  readonly at?: Instant;
}

/** Options of `alerts`. */
export interface AlertsOptions {
  /** Instrument code. */
  readonly symbol?: string;
  /** State. One of `active`, `paused`, `done`, `expired`. */
  readonly state?: AlertState;
}

/** Options of `firings`. */
export interface FiringsOptions {
  /** Id of an alert. */
  readonly alert?: string;
  /** Id of the last item of the previous page. */
  readonly before?: string;
  /** Maximum number of items. 1 to 200. Default `50`. */
  readonly limit?: number;
}

/** Options of `deliveries`. */
export interface DeliveriesOptions {
  /** State. One of `waiting`, `delivered`, `dead`. */
  readonly state?: DeliveryState;
  /** Return only messages to this destination. */
  readonly destination?: string;
  /** Id of an alert. */
  readonly alert?: string;
  /** Id of the last item of the previous page. */
  readonly before?: string;
  /** Maximum number of items. 1 to 200. Default `50`. */
  readonly limit?: number;
}

/** Options of `account.documents.list`. */
export interface DocumentListOptions {
  /** Return only documents of this kind, with their values. One of `layout`, `drawings`, `watchlist`, `settings`. */
  readonly kind?: DocumentKind;
  /** Whether items have their `value`. By default with `kind` only. */
  readonly values?: boolean;
}

/** Options of `usageHistory`. */
export interface UsageHistoryOptions {
  /**
   * The last hour by minute, the last day by hour, or the last 30 days by day. One of `hour`, `day`, `month`. Default
   * `day`.
   */
  readonly period?: 'hour' | 'day' | 'month';
  /** Add `sessions`: the part of signed-in sessions, and their own limits. Default `false`. */
  readonly detail?: boolean;
}

/** Options of `usage`. */
export interface UsageOptions {
  /** Add `signals`, the limits of published signals, and `limits_of`. Default `false`. */
  readonly detail?: boolean;
}

/** Options of `admin.streams`. */
export interface StreamReportOptions {
  /** Maximum number of items. 1 to 5,000. Default `500`. */
  readonly limit?: number;
}

/** Options of `admin.auditLog`. */
export interface AuditOptions {
  /** Entries about or by this account: its id or its display name. */
  readonly account?: string;
  /** Entries with this action. */
  readonly action?: AuditAction;
  /** Start of the range (inclusive). */
  readonly from?: Instant;
  /** End of the range (exclusive). */
  readonly to?: Instant;
  /** Entries older than the one with this id. Pass `next_before` of the previous page. */
  readonly before?: number;
  /** Maximum number of items. 1 to 1,000. Default `100`. */
  readonly limit?: number;
  /** Add `actor_name` and `account_name`. Default `false`. */
  readonly detail?: boolean;
}
