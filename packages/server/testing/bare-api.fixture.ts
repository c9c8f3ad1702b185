// A service without feeds, for responses that are hard to provoke in a running one: no quote yet, a failing part, news without a
// source, a closed market.
import { rmSync } from 'node:fs';
import { openAccess } from '../src/app/access.ts';
import { drainModules, openDomains, stopModules } from '../src/app/modules.ts';
import { nodeContext } from '../src/app/node-context.ts';
import { PHASES, readersOf } from '../src/app/phases.ts';
import { openPipeline } from '../src/app/pipeline.ts';
import { openHttpServer } from '../src/app/server.ts';
import type { IngestProxy } from '../src/cluster/link/ingest-proxy.ts';
import { loadConfig } from '../src/config/config.ts';
import { openDelivery } from '../src/delivery/open-delivery.ts';
import { Ports } from '../src/http/ports.ts';
import type { Journal } from '../src/journal/journal.ts';
import { MemoryJournal } from '../src/journal/memory-journal.ts';
import { Catalogue } from '../src/market/catalogue.ts';
import type { OpenFeeds } from '../src/market/feeds/open-feeds.ts';
import type { NewsFeed } from '../src/news/news-feed.ts';
import { silentLog } from '../src/ops/log.ts';
import type { SignalFeed } from '../src/signals/signal-feed.ts';
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts';
import { makeKey, temporaryFolder } from './service.fixture.ts';

export interface BareApi {
  readonly url: string;
  readonly key: string;
  readonly news: NewsFeed;
  readonly signals: SignalFeed;
  /** Signals are judged from it as in a service. */
  readonly journal: Journal;
  /** The state that `/readyz` reports; tests may change it. */
  readonly checks: Record<string, string>;
  get(path: string): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
  stop(): Promise<void>;
}

export interface BareApiOptions {
  /** The time of the market. Default: the system clock. */
  readonly now?: () => number;
  /** Forwards requests that need the pipeline, as on a gateway. */
  readonly ingestProxy?: IngestProxy;
}

const noFeeds: OpenFeeds = async () => ({
  feeds: [],
  push: null,
  connected: () => [],
  clock: () => null,
  start() {},
  stop() {},
});

export async function serveBareApi({ now = Date.now, ingestProxy }: BareApiOptions = {}): Promise<BareApi> {
  const folder = temporaryFolder();
  const { key } = await makeKey(folder, 'premium', ['read', 'publish']);
  const flags = { data: folder, port: '0', feeds: 'push', news: 'none', calendar: 'none', metrics_port: 'off' };
  const config = loadConfig({ flags, env: {}, cwd: folder });
  const log = silentLog;
  const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  const catalogue = await Catalogue.open(config, store.market);
  const access = await openAccess({ config, store: store.access, tls: false, log, now: Date.now, firstStart: false });
  const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, log);
  const context = nodeContext({ config, catalogue, store, access, now, log });
  const isDisabled = (): boolean => false;
  const delivery = openDelivery({ ...context, store: store.delivery, worker: 'alone', prunes: true, isDisabled });
  const pipeline = await openPipeline({ ...context, journal, openFeeds: noFeeds, delivery });
  const checks: Record<string, string> = { store: 'ok', feed: 'ok' };
  const readModels = { ...pipeline, checks: () => checks };
  const writer = ingestProxy ? null : pipeline;
  const domains = openDomains({ ...context, readModels, pipeline: writer, startedAt: Date.now() });
  for (const read of readersOf(domains.modules, PHASES)) journal.subscribe(read);
  await pipeline.restore();
  const ports = new Ports(log);
  const server = openHttpServer({
    ...context,
    readModels,
    domains,
    pipeline: writer,
    ...(ingestProxy && { ingestProxy }),
    tls: null,
    ports,
    startedAt: Date.now(),
  });
  const url = (await server.listen()).origin;
  return {
    url,
    key,
    news: pipeline.news.feed,
    signals: pipeline.signals.feed,
    journal,
    checks,
    get: (path) => fetch(url + path, { headers: { 'X-API-Key': key } }),
    post: (path, body) =>
      fetch(url + path, { method: 'POST', body: JSON.stringify(body), headers: { 'X-API-Key': key } }),
    async stop() {
      await stopModules(server.modules);
      await server.stop();
      ports.stop();
      await drainModules(server.modules, log);
      await pipeline.close();
      await delivery.stop();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
