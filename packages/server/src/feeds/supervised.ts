// What the parts that keep a source alive have in common: the source, where its events go, and the tally of its troubles.
import type { FeedEvent, MinuteEvent, QuoteEvent, TradeEvent } from '@tickwire/engine';
import type { Log } from '../ops/log.ts';
import type { FeedStatus } from './feed.ts';
import type { Source } from './source.ts';

export type MarketEvent = QuoteEvent | TradeEvent;

export type Counters = {
  -readonly [Name in
    | 'connects'
    | 'disconnects'
    | 'duplicates'
    | 'backfilled'
    | 'gaps'
    | 'complaints']: FeedStatus[Name];
};

export interface Supervised {
  readonly source: Source;
  /** Where events go, in the order they count in. An empty list says that the source lives. */
  readonly accept: (events: readonly FeedEvent[]) => void;
  /** Takes minutes that a source has only as bars. */
  readonly fill?: (minutes: readonly MinuteEvent[]) => void;
  readonly counters: Counters;
  readonly complain: (what: string) => null;
  readonly now: () => number;
  readonly log: Log;
}
