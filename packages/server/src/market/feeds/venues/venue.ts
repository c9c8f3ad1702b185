// What a crypto exchange is made of. A new one is two files, `<name>.ts` with a `Venue` and `mapper.ts`, and two lines in
// registry.ts; everything else is shared.
import type { Bar, BarSource, EpochMs, MarketSymbol } from '@tickwire/engine';
import type { Sleep } from '../../../work/back-off.ts';
import type { TradePosition } from '../connector.ts';
import { type JsonResponse, MAX_ATTEMPTS } from '../get-json.ts';
import type { Mapper, SymbolMap } from '../mapper.ts';
import type { VenueListing } from '../venue-listing.ts';
import type { NumberedTrade } from './numbered-trade.ts';
import type { SeenTrades } from './seen-trades.ts';

export type { VenueListing } from '../venue-listing.ts';

/** Trades per page of a REST response. */
export const PAGE_SIZE = 1_000;

/** In milliseconds. */
export interface VenueTiming {
  /** Limit for opening the socket. */
  readonly connectTimeoutMs: number;
  /** Limit from the last subscribe request to its confirmation. */
  readonly confirmTimeoutMs: number;
  /** Pause between two subscribe requests. */
  readonly subscribeIntervalMs: number;
  /** Pause after a REST request of weight 1. */
  readonly restIntervalMs: number;
  /** Pauses that may be skipped in a row after a rest. */
  readonly restBurstMs: number;
  readonly restTimeoutMs: number;
  /** Attempts at a REST request; not in milliseconds. */
  readonly restAttempts: number;
  /** Wait before the second attempt at a REST request; doubles with each further one. */
  readonly restRetryMs: number;
  /** Pause of all REST requests after a response with `limitStatus`. */
  readonly restBanMs: number;
  /** Waits between requests and between attempts. */
  readonly sleep: Sleep;
}

export const DEFAULT_TIMING: VenueTiming = {
  connectTimeoutMs: 10_000,
  confirmTimeoutMs: 10_000,
  subscribeIntervalMs: 250,
  restIntervalMs: 1_000,
  restBurstMs: 0,
  restTimeoutMs: 10_000,
  restAttempts: MAX_ATTEMPTS,
  restRetryMs: 1_000,
  restBanMs: 30_000,
  sleep: Bun.sleep,
};

export interface SubscribeRequest {
  readonly text: string;
  /** Where the socket for this request is opened, below `wsUrl`: a venue may split its channels. Default: `wsPath`. */
  readonly path?: string;
  /** Keys of the mapper's replies that confirm this request. */
  readonly replyKeys: readonly string[];
  /** Sent in its place if the venue refuses it as a whole, for venues that do so because of one symbol. */
  readonly parts?: readonly SubscribeRequest[];
}

/** Trades that were missed: those with `after.id` < id < `before`. */
export interface MissedTradesRequest {
  readonly symbol: MarketSymbol;
  readonly venueSymbol: string;
  readonly after: TradePosition;
  /** Infinity: up to the newest. */
  readonly before: number;
  readonly maxPages: number;
}

/** Bars of one length that a venue offers. */
export type VenueBarLength = '1m' | '1h' | '1d';

export interface VenueBarsRequest {
  readonly symbol: MarketSymbol;
  readonly venueSymbol: string;
  readonly length: VenueBarLength;
  /** Inclusive; a multiple of the length. */
  readonly from: EpochMs;
  /** Exclusive. */
  readonly to: EpochMs;
  /** Adds the running bar, if `to` is later than its start, marked as partial. */
  readonly running?: true;
}

/** A symbol in the list of a venue. */
export interface ListedSymbol {
  /** Decimals of prices; `null` if the list does not say. */
  readonly digits: number | null;
  readonly isTrading: boolean;
}

/** The venue's REST interface; all requests of the process share the venue's rate limit. */
export interface VenueRest {
  /** `isBusy` recognises a body that asks for a retry although its status is 200. */
  get(path: string, isBusy?: (body: unknown) => boolean): Promise<JsonResponse>;
  /** The same for a request with a JSON body. */
  post(path: string, json: unknown, isBusy?: (body: unknown) => boolean): Promise<JsonResponse>;
}

export interface Venue {
  /** Lower-case letters and digits, as in the configuration. */
  readonly name: string;
  /** As the venue writes it, in messages to people. */
  readonly title: string;
  readonly wsUrl: string;
  /** Appended to `wsUrl`, also to one from the configuration. */
  readonly wsPath?: string;
  readonly restUrl: string;
  /** The status of a response after too many requests, if it is neither 429 nor 418. The request is not repeated. */
  readonly limitStatus?: number;
  /** Milliseconds of silence after which a connection counts as dead. */
  readonly staleMs: number;
  /** Milliseconds of silence of one symbol after which the connection counts as dead. Left out: not watched. */
  readonly symbolStaleMs?: number;
  /** What bars of its symbols are made of: trades if it publishes every one of them. */
  readonly bars: BarSource;
  /** Default: DEFAULT_TIMING. */
  readonly timing: Partial<VenueTiming>;
  /** Default symbols: instrument → the venue's own spelling. A stablecoin is not the dollar: BTC/USDT is BTCUSDT. */
  readonly symbols: Readonly<Record<string, string>>;
  /** Default instruments that the built-in catalogue lacks. */
  readonly instruments?: readonly VenueListing[];
  /** Decimals of prices, for symbols with more of them than the catalogue has. */
  readonly digits?: Readonly<Record<string, number>>;
  /** Symbols that one connection can carry; no limit if left out. */
  readonly maxSymbols?: number;
  /** A message that the venue expects from time to time on every socket. Left out if pings of the protocol are enough. */
  readonly heartbeat?: { readonly text: string; readonly everyMs: number };
  subscribeRequests(venueSymbols: readonly string[]): SubscribeRequest[];
  /**
   * One for each socket; `path` is where it was opened. `contractSizes`: what fetchContractSizes returned; empty without it.
   * `seen` lasts longer than a connection.
   */
  createMapper(symbols: SymbolMap, contractSizes: ReadonlyMap<string, number>, seen: SeenTrades, path: string): Mapper;
  /**
   * Units of the underlying per contract, by the venue's spelling, for venues that state sizes in contracts. Asked for before
   * the first connection, which fails if this rejects.
   */
  fetchContractSizes?(venueSymbols: readonly string[], rest: VenueRest): Promise<ReadonlyMap<string, number>>;
  /** Weight of a REST request in the venue's limit. Left out if each counts as 1. */
  weightOf?(path: string, json?: unknown): number;
  /** Fetches missed trades. `null` if the venue no longer has all of them. Left out if it has no such request. */
  fetchTrades?(request: MissedTradesRequest, rest: VenueRest): Promise<NumberedTrade[] | null>;
  /**
   * Closed bars with `from` ≤ start < `to`, ascending, page by page; the running bar only if it is asked for. Volume is in units of the
   * underlying. An empty list if the venue has none of that time. Left out if the venue has no such request.
   */
  fetchBars?(request: VenueBarsRequest, rest: VenueRest): Promise<readonly Bar[]>;
  /** Bars that are asked for at a time, where more of them take a smaller part of the rate limit. Default: about 1,000. */
  readonly barsPerRequest?: number;
  /** Oldest start of bars that the venue keeps, for venues that keep only the newest ones of each length. */
  oldestBar?(length: VenueBarLength, now: EpochMs): EpochMs;
  /** Everything that can be subscribed to. Left out if the venue has no list. */
  listInstruments?(rest: VenueRest): Promise<readonly VenueListing[]>;
  /** What the venue lists of some symbols, by its spelling. Those that it does not know are left out. */
  fetchListed(venueSymbols: readonly string[], rest: VenueRest): Promise<ReadonlyMap<string, ListedSymbol>>;
}

export const USD_BASES = ['BTC', 'ETH', 'SOL', 'XRP', 'ADA', 'DOGE', 'LTC'];
export const USDT_BASES = [...USD_BASES, 'BNB', 'TRX', 'AVAX', 'LINK', 'DOT'];

/** `spellings(['BTC'], 'USD', '/')` is `{ BTCUSD: 'BTC/USD' }`. */
export const spellings = (bases: readonly string[], quote: string, separator: string): Record<string, string> =>
  Object.fromEntries(bases.map((base) => [`${base}${quote}`, `${base}${separator}${quote}`]));

/** The default symbols of a venue that has a list of instruments. */
export const symbolsOf = (instruments: readonly VenueListing[]): Record<string, string> =>
  Object.fromEntries(instruments.map(({ symbol, venueSymbol }) => [symbol, venueSymbol]));
