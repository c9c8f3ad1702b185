// The read models that the HTTP server answers from: those of the pipeline in the same process, or the replica of a gateway.
import type { OpenModels } from '../ai/open-models.ts';
import type { CalendarFeed } from '../calendar/calendar-feed.ts';
import type { Journal } from '../journal/journal.ts';
import type { MarketView } from '../market/market-view.ts';
import type { NewsFeed } from '../news/news-feed.ts';
import type { SignalEvents } from '../signals/signal-events.ts';
import type { SignalFeed } from '../signals/signal-feed.ts';
import type { TrackRecords } from '../signals/track-records.ts';

export interface ReadModels {
  readonly journal: Journal;
  readonly market: MarketView;
  readonly signals: {
    readonly feed: SignalFeed;
    readonly trackRecords: TrackRecords;
    readonly events: SignalEvents;
  };
  readonly news: { readonly feed: NewsFeed };
  readonly calendar: { readonly feed: CalendarFeed };
  readonly models: OpenModels;
  /** For `/readyz`. */
  checks(): Record<string, string>;
}
