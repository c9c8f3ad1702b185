// The economic calendar: events, windows around them, and pushed events.
import type { CalendarQuery, WindowQuery } from '@tickwire/contract';
import { HOUR_MS, type MarketSymbol } from '@tickwire/engine';
import { pushContext } from '../documents/pushed-lines.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import { writerRoutes } from '../http/handler.ts';
import type { LineRequests, TakeLines } from '../http/line-requests.ts';
import type { Module } from '../module/module.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { CalendarFeed } from './calendar-feed.ts';
import { CalendarHandlers } from './calendar-handlers.ts';
import { readCalendarLines } from './ingest-lines.ts';
import type { Calendar } from './open-calendar.ts';

const PRUNE_MS = HOUR_MS;

export interface CalendarModuleOptions {
  readonly feed: CalendarFeed;
  readonly resolve: (code: string) => MarketSymbol | undefined;
  /** `null` on a gateway node. */
  readonly writer: Calendar | null;
  readonly lines: LineRequests;
  readonly now: () => number;
}

export function calendarModule({ feed, resolve, writer, lines, now }: CalendarModuleOptions): Module {
  const handlers = new CalendarHandlers({ feed, resolve, sources: () => writer?.statuses() ?? [] });
  return {
    routes: {
      calendar: ({ query, now: at }) => handlers.list(query as CalendarQuery, at),
      eventWindow: ({ params, query, now: at }) => handlers.window(params.symbol!, query as WindowQuery, at),
      ...writerRoutes(writer, {
        calendarSources: () => handlers.sources(),
        // Events are stored when the answer is sent.
        ingestCalendar({ intake, statuses }, { request, caller }) {
          const context = pushContext(caller!, statuses(), now());
          const take: TakeLines = (each, first, tally) => intake.take(readCalendarLines(each, first, context, tally));
          return withStoreErrors(() => lines.post(request, caller!, take, 'calendar '));
        },
      }),
    },
    readers: [{ phase: 'lists', read: feed.read }],
    metrics: (metrics) => writer && observe(metrics, writer),
    start(timers) {
      if (!writer) return;
      timers.every(PRUNE_MS, 'deleting old calendar events', () => writer.prune(now()));
      writer.start();
    },
    stop: () => writer?.stop(),
  };
}

function observe(metrics: Metrics, { intake, feed, statuses }: Calendar): void {
  metrics.counter('tickwire_calendar_changes_total', 'Changes of calendar events, by kind', () =>
    Object.entries(intake.changes).map(([change, count]) => [{ change }, count] as const),
  );
  metrics.gauge('tickwire_calendar_events', 'Calendar events in memory', () => feed.size);
  metrics.gauge('tickwire_calendar_source_ok', '1 while the calendar source responds', () =>
    statuses().map(({ name, state }) => [{ source: name }, state === 'ok' ? 1 : 0] as const),
  );
}
