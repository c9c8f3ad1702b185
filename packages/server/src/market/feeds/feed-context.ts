// Shared by the parts that supervise one connector: the connector, the destination of its events, and its counters.
import type { FeedEvent, MinuteEvent } from '@tickwire/engine';
import type { Log } from '../../ops/log.ts';
import type { VenueConnector } from './connector.ts';
import type { FeedStatus } from './feed.ts';

export type FeedCounters = {
  -readonly [Name in
    | 'connects'
    | 'disconnects'
    | 'duplicates'
    | 'backfilled'
    | 'gaps'
    | 'invalidMessages']: FeedStatus[Name];
};

export interface FeedContext {
  readonly connector: VenueConnector;
  /** Takes events in their final order. An empty list only reports that the connection is up. */
  readonly accept: (events: readonly FeedEvent[]) => void;
  /** Takes minutes that the venue offers only as bars. */
  readonly fill?: (minutes: readonly MinuteEvent[]) => void;
  readonly counters: FeedCounters;
  readonly complain: (complaint: string) => void;
  readonly now: () => number;
  readonly log: Log;
}
