// News and the calendar as of the clock of a replay: what had arrived by then, from the store, which says when each revision did.
import type { CalendarEvent, CalendarQuery, NewsQuery, NewsSentimentQuery, WindowQuery } from '@tickwire/contract';
import { CalendarFeed } from '../calendar/calendar-feed.ts';
import { CalendarHandlers } from '../calendar/calendar-handlers.ts';
import type { Routes } from '../http/handler.ts';
import type { MarketView } from '../market/market-view.ts';
import { NewsFeed } from '../news/news-feed.ts';
import { NewsHandlers } from '../news/news-handlers.ts';
import type { NewsMarketSources } from '../news/news-market.ts';
import type { CalendarStore } from '../store/calendar-store.ts';
import { asOfNews, type NewsPast } from './as-of-news.ts';
import type { NewsTapeOptions } from './news-tape.ts';

type CalendarReads = Pick<CalendarStore, 'after' | 'highImpactRevisions'>;

export interface DocumentSources {
  readonly news: NewsPast & NewsTapeOptions['store'];
  readonly calendar: Pick<CalendarStore, 'knownAfter' | 'highImpactRevisions'>;
  /** Sources whose items are hidden; `null` for none. */
  readonly hiddenNews: string | null;
  readonly hiddenCalendar: string | null;
}

export interface AsOfMarket {
  readonly market: Pick<MarketView, 'resolve' | 'recent'>;
  readonly history: NewsMarketSources['history'];
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export function documentRoutes(sources: DocumentSources, { market, history, clock }: AsOfMarket): Routes {
  const store = asOfNews(sources.news, clock);
  const feed = new NewsFeed({ store, except: sources.hiddenNews });
  // Memory has nothing: all is read from the store.
  feed.restore([], true);
  const none = { sources: () => [], leftOut: () => ({}) };
  // What is counted at one time of the clock must not answer for another.
  const news = new NewsHandlers({ feed, store, market, history, sentimentMs: 0, ...none });
  const events = new CalendarFeed({ store: asOfCalendar(sources.calendar, clock), except: sources.hiddenCalendar });
  const calendar = new CalendarHandlers({ feed: events, resolve: (code) => market.resolve(code), ...none });
  return {
    news: ({ query }) => news.list(query as NewsQuery),
    newsItem: ({ params, now }) => news.item(params.id!, now),
    newsSentiment: ({ query, now }) => news.sentiment(query as NewsSentimentQuery, now),
    calendar: ({ query, now }) => calendar.list(query as CalendarQuery, now),
    eventWindow: ({ params, query, now }) => calendar.window(params.symbol!, query as WindowQuery, now),
  };
}

function asOfCalendar(
  { knownAfter, highImpactRevisions }: DocumentSources['calendar'],
  clock: () => number,
): CalendarReads {
  return {
    after: async (position, to, limit) =>
      (await knownAfter(clock(), position, to, limit)).map((event) => unreleased(event, clock())),
    // Marks of signals count only revisions that were known when the signal closed.
    highImpactRevisions,
  };
}

/** No value before its time, whatever its source says. */
function unreleased(event: CalendarEvent, now: number): CalendarEvent {
  const { time, status, moved_from } = event;
  if (Date.parse(time) <= now) return event;
  const scheduled = moved_from === null ? 'scheduled' : 'moved';
  return { ...event, actual: null, status: status === 'released' ? scheduled : status };
}
