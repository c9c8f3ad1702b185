// A feed is any source of prices: simulated markets, a supervised venue, pushed ticks, a replay.
import type { FeedEvent, MarketSymbol, MinuteEvent } from '@tickwire/engine';
import type { Refusal } from './connector.ts';
import type { FeedFailure } from './failure.ts';
import type { Delay } from './venue-delay.ts';

export interface FeedStatus {
  readonly name: string;
  readonly state: 'starting' | 'connecting' | 'live' | 'waiting' | 'stopped';
  /** Time of the newest event in milliseconds; 0 before the first. */
  readonly lastEventAt: number;
  readonly symbols: readonly MarketSymbol[];
  readonly connects: number;
  readonly disconnects: number;
  /** Trades that arrived more than once and were dropped. */
  readonly duplicates: number;
  /** Trades, or minutes, that were missed and fetched afterwards. */
  readonly backfilled: number;
  /** Periods whose data is lost. */
  readonly gaps: number;
  /** Messages that could not be used. */
  readonly invalidMessages: number;
  /** The text of the last failure; the feed may have recovered since. */
  readonly lastError: string | null;
  /** Why it is not connected; `null` while it is, and before the first failure. Left out for a feed without a venue. */
  readonly failure?: FeedFailure | null;
  /** Symbols that it does not deliver although it is connected. */
  readonly refused?: ReadonlyMap<MarketSymbol, Refusal>;
  /** Of prices, from the venue to us; `null` before the first. Left out for a feed without a venue. */
  readonly delay?: Delay | null;
  /** Milliseconds by which the venue's clock is ahead of ours; `null` if that is not known. */
  readonly clockOffsetMs?: number | null;
}

/** The history of one venue. */
export interface HistoryStatus {
  readonly venue: string;
  /** Bars that are still to be fetched, at most: the venue may have fewer. */
  readonly barsLeft: number;
  readonly barsFetched: number;
  readonly lastError: string | null;
}

/** `ok`, or the problem, for `/readyz`. Silence is not a problem here: a market may be quiet. */
export const feedHealth = ({ state, lastError }: FeedStatus): string =>
  state === 'live' ? 'ok' : lastError === null ? state : `${state}: ${lastError}`;

export interface Feed {
  /** Events arrive from now on. */
  start(): void;
  stop(): void;
  status(): FeedStatus;
}

/** The intake, bound to the name of one feed. */
export interface FeedSink {
  accept(events: Iterable<FeedEvent>): void;
  /** Minutes that are available only as bars. */
  fill(minutes: Iterable<MinuteEvent>): void;
}
