// Opens the news of the configuration: its sources, curation, the newsroom, the feed, and takes up what an earlier run had.
import type { NewsDetail } from '@tickwire/contract';
import { asEpochMs, type InstrumentSpec } from '@tickwire/engine';
import type { Models } from '../ai/models.ts';
import type { Config } from '../config.ts';
import { SimMarket } from '../feeds/sim/market.ts';
import type { Journal } from '../journal/journal.ts';
import type { Log } from '../ops/log.ts';
import type { StoredNews } from '../store/news-store.ts';
import type { Store } from '../store/store.ts';
import { measureMoves } from './calibration.ts';
import { type CuratedItem, Curator } from './curation/curator.ts';
import { KEPT_ITEMS, NewsFeed } from './news-feed.ts';
import { Newsroom } from './newsroom.ts';
import type { NewsSource, NewsSourceStatus } from './raw-item.ts';
import { openSimNews, SIM_SOURCE } from './sim/open.ts';
import { openNewsSources } from './sources/open.ts';

const DAY_MS = 86_400_000;

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
  readonly newsroom: Newsroom;
  readonly curator: Curator;
  statuses(): readonly NewsSourceStatus[];
  start(): void;
  stop(): Promise<void>;
  /** Measures what the market did after the news. */
  measure(now: number): Promise<number>;
  prune(now: number): Promise<number>;
}

export async function openNews(options: OpenNewsOptions): Promise<News> {
  const { config, instruments, store, journal, models, now, log } = options;
  const curator = new Curator({ instruments });
  const newsroom = new Newsroom({
    curator,
    score: (requests, signal) => models.score(requests, { signal }),
    store: store.news,
    journal,
    log,
  });
  const invented = config.news === 'sim';
  const isInvented = ({ source: name }: { readonly source: string }): boolean => name === SIM_SOURCE;
  // Invented headlines do not come up again among those of real sources, even where a folder has seen both.
  const except = invented ? null : SIM_SOURCE;
  const feed = new NewsFeed({ store: store.news, except });
  const newest = await store.news.newest(KEPT_ITEMS);
  const stored = newest.filter(({ item }) => item.source !== except);
  curator.restore(stored.map(curatedOf));
  feed.restore(
    stored.map(({ item }) => item),
    newest.length === KEPT_ITEMS,
  );
  const source = openSource(options, newsroom);
  const symbols = new Set(instruments.map(({ symbol }) => symbol));
  // What the market did after real news is not for simulated prices to say.
  const measurable = config.realm === (invented ? 'sim' : 'live');
  return {
    feed,
    newsroom,
    curator,
    statuses: () => source?.statuses() ?? [],
    start: () => source?.start(),
    async stop() {
      await source?.stop();
      await newsroom.stop();
    },
    measure: async (time) =>
      measurable
        ? measureMoves(
            { news: store.news, market: store.market, symbols, counts: (item) => isInvented(item) === invented },
            time,
          )
        : 0,
    prune: (time) => store.news.prune(time - config.news_days * DAY_MS),
  };

  function openSource(
    { config: { news, sim_seed: seed, sim_rate: rate, sim_hours: hours } }: OpenNewsOptions,
    room: Newsroom,
  ): NewsSource | null {
    if (news === 'none') return null;
    // The very markets of the feed: they are a function of these settings and of time.
    if (news === 'sim')
      return openSimNews({ market: new SimMarket(instruments, { seed, rate, hours }), take: room.take, now });
    return openNewsSources({ setting: news, cwd: '', take: room.take, now, log, proxies: config.proxies });
  }
}

const curatedOf = ({ item, seenAt, guid }: StoredNews): CuratedItem => {
  const { id, title, category, symbols, url, source, timestamp, cluster, revision }: NewsDetail = item;
  const publishedAt = asEpochMs(Date.parse(timestamp));
  return { id, title, category, symbols, url, source, guid, publishedAt, seenAt: asEpochMs(seenAt), cluster, revision };
};
