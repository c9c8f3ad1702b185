// What every source of prices looks like to the service.
import type { FeedEvent, MinuteEvent } from '@tickwire/engine';

export interface FeedStatus {
  readonly name: string;
  readonly state: 'starting' | 'live' | 'stopped';
  /** Time of the newest event, ms; 0 before the first. */
  readonly lastEventAt: number;
}

export interface Feed {
  /** From now on events arrive by themselves. */
  start(): void;
  stop(): void;
  status(): FeedStatus;
}

/** Where a feed's events go: the intake. */
export interface FeedSink {
  accept(events: Iterable<FeedEvent>): void;
  /** Minutes that could be had only as bars. */
  fill(minutes: Iterable<MinuteEvent>): void;
}
