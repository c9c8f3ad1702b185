// The history of real markets where its events are made: when it is fetched, and its metrics.
import type { HistoryStatus } from '../../market/feeds/feed.ts';
import type { Module } from '../../module/module.ts';
import type { VenueHistory } from './venue-history.ts';

const TICK_MS = 1_000;

/** `history` is `null` until the feeds are open. */
export function venueHistoryModule(history: () => VenueHistory | null): Module {
  const perFeed = (read: (status: HistoryStatus) => number) => () =>
    (history()?.status ?? []).map((status) => [{ feed: status.venue }, read(status)] as const);
  return {
    readers: [
      {
        phase: 'lists',
        read: ({ events }) => {
          for (const event of events)
            if (event.kind === 'gap') history()?.lost(event.symbols, event.from, event.to);
            else if (event.kind === 'disconnect') history()?.lost(event.symbols, event.time, event.time);
        },
      },
    ],
    metrics(metrics) {
      metrics.gauge(
        'tickwire_history_bars_left',
        'Bars of the past that are still to be fetched',
        perFeed(({ barsLeft }) => barsLeft),
      );
      metrics.counter(
        'tickwire_history_bars_fetched_total',
        'Bars of the past that were fetched',
        perFeed(({ barsFetched }) => barsFetched),
      );
    },
    start: (timers) => timers.every(TICK_MS, 'fetching history', () => history()?.tick()),
    stop: () => history()?.stop(),
  };
}
