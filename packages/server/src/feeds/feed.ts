// What every source of prices looks like to the service.
import type { FeedEvent, MarketSymbol, MinuteEvent } from '@tickwire/engine';

export interface FeedStatus {
  readonly name: string;
  readonly state: 'starting' | 'connecting' | 'live' | 'waiting' | 'stopped';
  /** Time of the newest event, ms; 0 before the first. */
  readonly lastEventAt: number;
  readonly symbols: readonly MarketSymbol[];
  readonly connects: number;
  readonly disconnects: number;
  readonly duplicates: number;
  readonly backfilled: number;
  /** Stretches that are missing for good. */
  readonly gaps: number;
  /** Messages that were not understood. */
  readonly complaints: number;
  readonly lastError: string | null;
}

/** `ok`, or what is wrong, for `/readyz`. A market may rest: silence of a live feed is its supervisor's business. */
export const healthOf = ({ state, lastError }: FeedStatus): string =>
  state === 'live' ? 'ok' : lastError === null ? state : `${state}: ${lastError}`;

export interface Feed {
  /** From now on events arrive by themselves. */
  start(): void;
  stop(): void;
  status(): FeedStatus;
}

/** Where a feed's events go: the intake, which knows whom it has given this to. */
export interface FeedSink {
  accept(events: Iterable<FeedEvent>): void;
  /** Minutes that could be had only as bars. */
  fill(minutes: Iterable<MinuteEvent>): void;
}
