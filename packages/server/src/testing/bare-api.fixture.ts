// The REST edge over parts that nothing feeds, for answers a running service cannot be brought to give: no quote yet, a
// part that is not well, news without a source.
import { rmSync } from 'node:fs';
import { TIERS } from '@tickwire/contract';
import { CATALOGUE } from '@tickwire/engine';
import { addressReader } from '../access/client-address.ts';
import { FailedAttempts } from '../access/failed-attempts.ts';
import { Keyring } from '../access/keyring.ts';
import { createAnswers } from '../http/answers.ts';
import { Api } from '../http/api.ts';
import { corsFor } from '../http/cors.ts';
import { Guard } from '../http/guard.ts';
import { Ingest } from '../http/ingest.ts';
import { NewsFeed } from '../news/news-feed.ts';
import { silentLog } from '../ops/log.ts';
import { SignalFeed } from '../signals/signal-feed.ts';
import { openAccessStore } from '../store/sqlite/open.ts';
import { MarketView } from '../views/market-view.ts';
import { makeKey, temporaryFolder } from './service.fixture.ts';

export interface BareApi {
  readonly url: string;
  readonly key: string;
  readonly news: NewsFeed;
  readonly signals: SignalFeed;
  /** What `/readyz` reports; change it at will. */
  readonly checks: Record<string, string>;
  get(path: string): Promise<Response>;
  stop(): Promise<void>;
}

export async function serveBareApi(): Promise<BareApi> {
  const folder = temporaryFolder();
  const { key } = await makeKey(folder, 'premium', ['read']);
  const { access, close } = openAccessStore(folder);
  const keyring = new Keyring({ store: access, tiers: TIERS, log: silentLog, now: Date.now });
  await keyring.load();
  const news = new NewsFeed();
  const signals = new SignalFeed();
  const checks: Record<string, string> = { store: 'ok', feed: 'ok' };
  const answers = createAnswers({
    instruments: CATALOGUE,
    market: new MarketView(CATALOGUE),
    signals,
    news,
    history: { bars: async () => [], watched: async () => [] },
    simulated: false,
    alwaysOpen: false,
    clients: () => 0,
    models: () => [],
    feeds: () => [],
    quarantine: () => [],
    startedAt: Date.now(),
  });
  const api = new Api({
    answers,
    ingest: new Ingest({ feed: null, store: access, linesPerMinute: 1_000, now: Date.now }),
    guard: new Guard({ keyring, failures: new FailedAttempts(20), addressOf: addressReader([]) }),
    allowOrigin: corsFor(['*']),
    simulated: false,
    now: Date.now,
    log: silentLog,
    checks: () => checks,
    stopping: () => false,
  });
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', routes: api.routes(), fetch: api.notFound });
  return {
    url: server.url.origin,
    key,
    news,
    signals,
    checks,
    get: (path) => fetch(server.url.origin + path, { headers: { 'X-API-Key': key } }),
    async stop() {
      await server.stop(true);
      close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
