// News: the feed of headlines, their sentiment, and pushed items.
import type { NewsQuery, NewsSentimentQuery } from '@tickwire/contract';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { pushContext } from '../documents/pushed-lines.ts';
import { writerRoutes } from '../http/handler.ts';
import type { LineRequests, TakeLines } from '../http/line-requests.ts';
import type { Module } from '../module/module.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { NewsStore } from '../store/news-store.ts';
import { CalibrationReport } from './calibration-report.ts';
import { readNewsLines } from './ingest-lines.ts';
import type { NewsFeed } from './news-feed.ts';
import { NewsHandlers } from './news-handlers.ts';
import type { NewsMarketSources } from './news-market.ts';
import type { News } from './open-news.ts';
import { NEWS_CHANNEL } from './streams/news-channel.ts';

const MEASURE_MS = MINUTE_MS;
const PRUNE_MS = HOUR_MS;

export interface NewsModuleOptions extends NewsMarketSources {
  readonly feed: NewsFeed;
  readonly store: NewsStore;
  /** `null` on a gateway node. */
  readonly writer: News | null;
  readonly lines: LineRequests;
  readonly now: () => number;
}

export function newsModule(options: NewsModuleOptions): Module {
  const { feed, store, writer, lines, now } = options;
  const calibration = new CalibrationReport(store);
  const handlers = new NewsHandlers({
    ...options,
    sources: () => writer?.statuses() ?? [],
    leftOut: () => writer?.curator.leftOut ?? {},
  });
  return {
    routes: {
      news: ({ query }) => handlers.list(query as NewsQuery),
      newsItem: ({ params, now: at }) => handlers.item(params.id!, at),
      newsSentiment: ({ query, now: at }) => handlers.sentiment(query as NewsSentimentQuery, at),
      newsCalibration({ now: at }) {
        writer?.calibrationRead();
        return calibration.at(at);
      },
      ...writerRoutes(writer, {
        newsSources: () => handlers.sources(),
        ingestNews({ pipeline, statuses }, { request, caller }) {
          const context = pushContext(caller!, statuses(), now());
          const take: TakeLines = (each, first, tally) => pipeline.take(readNewsLines(each, first, context, tally));
          return lines.post(request, caller!, take, 'news ');
        },
      }),
    },
    channels: () => [NEWS_CHANNEL],
    readers: [{ phase: 'lists', read: feed.read }],
    metrics: (metrics) => writer && observe(metrics, writer),
    start(timers) {
      if (!writer) return;
      timers.every(MEASURE_MS, 'measuring moves after news', () => writer.measure(now()));
      timers.every(PRUNE_MS, 'deleting old news', () => writer.prune(now()));
      writer.start();
    },
    stop: () => writer?.stop(),
  };
}

function observe(metrics: Metrics, { pipeline, curator, statuses }: News): void {
  metrics.counter('tickwire_news_published_total', 'News items published', () => pipeline.published);
  metrics.counter('tickwire_news_revised_total', 'Revisions of news items', () => pipeline.revised);
  metrics.counter('tickwire_news_folded_total', 'Items merged into another', () => pipeline.clustered);
  metrics.counter('tickwire_news_left_out_total', 'Items excluded from the feed, by reason', () =>
    Object.entries(curator.leftOut).map(([reason, count]) => [{ reason }, count] as const),
  );
  metrics.gauge('tickwire_news_waiting', 'Items waiting to be scored', () => pipeline.waiting);
  metrics.counter('tickwire_news_dropped_total', 'Items dropped because too many were waiting', () => pipeline.dropped);
  metrics.gauge('tickwire_news_source_ok', '1 while the source responds', () =>
    statuses().map(({ name, state }) => [{ source: name }, state === 'ok' ? 1 : 0] as const),
  );
}
