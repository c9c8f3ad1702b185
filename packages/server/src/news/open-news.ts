// Composes the news of a service: sources, curation, pipeline and feed, with the items of the previous run restored.
import { asEpochMs, bySymbol, DAY_MS, type InstrumentSpec } from '@tickwire/engine';
import type { Models } from '../ai/models.ts';
import type { Config } from '../config/config.ts';
import type { Source, SourceStatus } from '../documents/source.ts';
import { hiddenSource, SIM_SOURCE } from '../documents/source.ts';
import type { Journal } from '../journal/journal.ts';
import { openBarSource } from '../market/bar-source.ts';
import { SimMarket } from '../market/feeds/sim/sim-market.ts';
import { simSeed } from '../market/feeds/sim/sim-seed.ts';
import type { Log } from '../ops/log.ts';
import type { StoredNews } from '../store/news-store.ts';
import type { Store } from '../store/store.ts';
import { measureMoves } from './calibration.ts';
import { type CuratedItem, Curator } from './curation/curator.ts';
import { MAX_ITEMS_IN_MEMORY, NewsFeed } from './news-feed.ts';
import { NewsPipeline } from './news-pipeline.ts';
import { CalibrationSeed } from './sim/calibration-seed.ts';
import { openSimNews } from './sim/open-sim-news.ts';
import { openNewsSources } from './sources/open-sources.ts';

export interface OpenNewsOptions {
  readonly config: Config;
  readonly instruments: readonly InstrumentSpec[];
  readonly store: Store;
  readonly journal: Journal;
  readonly models: Models;
  readonly now: () => number;
  readonly log: Log;
}

export interface News {
  readonly feed: NewsFeed;
  readonly pipeline: NewsPipeline;
  readonly curator: Curator;
  statuses(): readonly SourceStatus[];
  /** The first read fills the calibration of a new store with simulated history. */
  calibrationRead(): void;
  start(): void;
  stop(): Promise<void>;
  /** Measures the market moves after news items that are due; returns their number. */
  measure(now: number): Promise<number>;
  prune(now: number): Promise<number>;
}

export async function openNews(options: OpenNewsOptions): Promise<News> {
  const { config, instruments, store, journal, models, now, log } = options;
  const curator = new Curator({ instruments });
  const pipeline = new NewsPipeline({
    curator,
    score: (requests, signal) => models.score(requests, { signal }),
    store: store.news,
    journal,
    now,
    log,
  });
  const simulated = config.news === 'sim';
  const isSimulated = ({ source: name }: { readonly source: string }): boolean => name === SIM_SOURCE;
  const except = hiddenSource(config.news);
  const feed = new NewsFeed({ store: store.news, except });
  const newest = await store.news.newest(MAX_ITEMS_IN_MEMORY);
  const stored = newest.filter(({ item }) => item.source !== except);
  curator.restore(stored.map(curatedOf));
  feed.restore(
    stored.map(({ item }) => item),
    newest.length === MAX_ITEMS_IN_MEMORY,
  );
  const source = await openSource(options, pipeline);
  const symbols = bySymbol(instruments);
  // Real news is not measured on simulated prices, nor the other way round.
  const measurable = config.realm === (simulated ? 'sim' : 'live');
  const seed =
    simulated && measurable && config.sim_calibration_days > 0
      ? new CalibrationSeed({
          market: simMarket,
          instruments,
          models,
          news: store.news,
          numbers: store.market,
          history: openBarSource(config, instruments, store.market, now),
          now,
          days: config.sim_calibration_days,
          unread: config.role !== 'all',
          log,
        })
      : null;
  return {
    feed,
    pipeline,
    curator,
    statuses: () => source?.statuses() ?? [],
    calibrationRead: () => seed?.fill(),
    start() {
      source?.start();
      seed?.start();
    },
    async stop() {
      await seed?.stop();
      await source?.stop();
      await pipeline.stop();
    },
    measure: async (time) =>
      measurable
        ? measureMoves(
            {
              news: store.news,
              market: store.market,
              symbols,
              isMeasurable: (item) => isSimulated(item) === simulated,
            },
            time,
          )
        : 0,
    prune: (time) => store.news.prune(time - config.news_days * DAY_MS),
  };

  /** The same markets as those of the simulated feed, because they depend only on these settings, the seed and the time. */
  async function simMarket(): Promise<SimMarket> {
    const { sim_seed, sim_rate: rate, sim_hours: hours } = config;
    return new SimMarket(instruments, { seed: await simSeed(store.market, sim_seed), rate, hours });
  }

  async function openSource({ config: { news } }: OpenNewsOptions, to: NewsPipeline): Promise<Source | null> {
    if (news === 'none') return null;
    if (news === 'sim') return openSimNews({ market: await simMarket(), take: to.take, now, log });
    return openNewsSources({ setting: news, cwd: '', take: to.take, now, log, proxies: config.proxies });
  }
}

const curatedOf = ({ item, seenAt, guid }: StoredNews): CuratedItem => {
  const { id, title, category, symbols, url, source, account, timestamp, cluster, revision } = item;
  const publishedAt = asEpochMs(Date.parse(timestamp));
  return {
    id,
    title,
    category,
    symbols,
    url,
    source,
    account,
    guid,
    publishedAt,
    isTimeStated: item.published_at !== null,
    seenAt: asEpochMs(seenAt),
    cluster,
    revision,
  };
};
