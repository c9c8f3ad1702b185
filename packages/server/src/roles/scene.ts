// What the front shows, wherever it comes from: the floor in the same process, or views of a gateway that follow the journal.
import type { OpenModels } from '../ai/open.ts';
import type { Journal } from '../journal/journal.ts';
import type { NewsFeed } from '../news/news-feed.ts';
import type { Announcements } from '../signals/announcements.ts';
import type { SignalFeed } from '../signals/signal-feed.ts';
import type { TrackRecords } from '../signals/track-records.ts';
import type { MarketView } from '../views/market-view.ts';

export interface Scene {
  readonly journal: Journal;
  readonly market: MarketView;
  readonly signals: {
    readonly feed: SignalFeed;
    readonly records: TrackRecords;
    readonly announcements: Announcements;
  };
  readonly news: { readonly feed: NewsFeed };
  readonly models: OpenModels;
  /** What `/readyz` says of it. */
  checks(): Record<string, string>;
}
