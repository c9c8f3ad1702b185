// The REST edge over parts that nothing feeds, for answers a running service cannot be brought to give: no quote yet, a
// part that is not well, news without a source, a market out of its hours.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { TIERS } from '@tickwire/contract';
import { CATALOGUE } from '@tickwire/engine';
import { addressReader } from '../access/client-address.ts';
import { FailedAttempts } from '../access/failed-attempts.ts';
import { Keyring } from '../access/keyring.ts';
import { originReader } from '../access/own-origin.ts';
import { openAccounts } from '../accounts/open.ts';
import { Briefs } from '../ai/brief.ts';
import { AiCalls } from '../ai/calls.ts';
import { AiAnswers } from '../ai/http.ts';
import { openModels } from '../ai/open.ts';
import { createAnswers } from '../http/answers.ts';
import { Api } from '../http/api.ts';
import { corsFor } from '../http/cors.ts';
import { type FloorAnswers, floorAnswers } from '../http/floor-answers.ts';
import { Guard } from '../http/guard.ts';
import { Answered } from '../http/idempotency.ts';
import { Ingest } from '../http/ingest.ts';
import { NewsAnswers } from '../http/news.ts';
import { SignalAnswers } from '../http/signals.ts';
import type { Journal } from '../journal/journal.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { NewsFeed } from '../news/news-feed.ts';
import { silentLog } from '../ops/log.ts';
import { openSignals } from '../signals/open.ts';
import type { SignalFeed } from '../signals/signal-feed.ts';
import { Recorder } from '../store/recorder.ts';
import { openSqliteStore } from '../store/sqlite/open.ts';
import { MarketView } from '../views/market-view.ts';
import { makeKey, temporaryFolder } from './service.fixture.ts';

export interface BareApi {
  readonly url: string;
  readonly key: string;
  readonly news: NewsFeed;
  readonly signals: SignalFeed;
  /** Judged as in a service. */
  readonly journal: Journal;
  /** What `/readyz` reports; change it at will. */
  readonly checks: Record<string, string>;
  get(path: string): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
  stop(): Promise<void>;
}

const NO_LLM = {
  llm_url: null,
  llm_model: null,
  llm_key: null,
  llm_timeout_ms: 1_000,
  llm_price_in: 0,
  llm_price_out: 0,
} as const;

export interface BareApiOptions {
  /** The time of the market, where it matters. */
  readonly now?: () => number;
  /** In place of a floor of its own. */
  readonly floor?: FloorAnswers;
}

export async function serveBareApi({ now = Date.now, floor }: BareApiOptions = {}): Promise<BareApi> {
  const folder = temporaryFolder();
  const { key } = await makeKey(folder, 'premium', ['read', 'publish']);
  const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  const { access } = store;
  const keyring = new Keyring({ store: access, tiers: TIERS, log: silentLog, now: Date.now });
  await keyring.load();
  const news = new NewsFeed({ store: store.news, except: null });
  const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, silentLog);
  const recorder = new Recorder({ store: store.market, instruments: CATALOGUE, log: silentLog, barsUntil: 0 });
  const nameOf = (publisher: string): string | undefined => keyring.nameOf(publisher);
  const publisherOf = (name: string): string | undefined => keyring.publisherOf(name);
  const signals = await openSignals({
    store,
    instruments: CATALOGUE,
    recorder,
    journal,
    realm: 'live',
    folder: join(folder, 'live'),
    maxActive: 1_000,
    alwaysOpen: false,
    nameOf,
    publisherOf,
    now,
    log: silentLog,
  });
  journal.subscribe(signals.desk.read);
  journal.subscribe(signals.feed.read);
  const checks: Record<string, string> = { store: 'ok', feed: 'ok' };
  const answers = createAnswers({
    instruments: CATALOGUE,
    market: new MarketView(CATALOGUE),
    activeSignals: () => signals.feed.active,
    history: { bars: async () => [], watched: async () => [] },
    simulated: false,
    alwaysOpen: false,
    clients: () => 0,
    models: () => [],
    startedAt: Date.now(),
  });
  const answered = new Answered(access, Date.now);
  const { models } = await openModels({ settings: NO_LLM, now: Date.now, log: silentLog });
  const guard = new Guard({
    keyring,
    failures: new FailedAttempts(20),
    addressOf: addressReader([]),
    originOf: originReader({ publicUrl: null, tls: false, trustedProxies: [] }),
  });
  const accounts = openAccounts({
    store: access,
    keyring,
    guard,
    answered,
    registration: 'closed',
    tiers: TIERS,
    connections: Object.assign([], { size: 0 }),
    now: Date.now,
  });
  const { desk, ledger, feed, records } = signals;
  const newsAnswers = new NewsAnswers({ feed: news, store: store.news, sources: () => [], leftOut: () => ({}) });
  const api = new Api({
    ...accounts.answers,
    answers,
    signals: new SignalAnswers({ feed, records, store: store.signals, nameOf, publisherOf }),
    news: newsAnswers,
    floor:
      floor ??
      floorAnswers({
        desk,
        ledger,
        store: store.signals,
        news: newsAnswers,
        ingest: new Ingest({ feed: null, takeNews: () => {}, answered, linesPerMinute: 1_000, now: Date.now }),
        answered,
        feeds: () => [],
        quarantine: () => [],
      }),
    ai: new AiAnswers({
      calls: new AiCalls({ store: access, now: Date.now }),
      models,
      briefs: new Briefs({
        sources: {
          spec: (symbol) => CATALOGUE.find((spec) => spec.symbol === symbol)!,
          quote: () => null,
          bar: () => null,
          flow: () => null,
          signals: () => [],
          news: () => [],
        },
        llm: null,
      }),
      resolve: (code) => CATALOGUE.find(({ symbol }) => symbol === code.toUpperCase())?.symbol,
      spec: (symbol) => CATALOGUE.find((spec) => spec.symbol === symbol)!,
    }),
    guard,
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
    signals: feed,
    journal,
    checks,
    get: (path) => fetch(server.url.origin + path, { headers: { 'X-API-Key': key } }),
    post: (path, body) =>
      fetch(server.url.origin + path, { method: 'POST', body: JSON.stringify(body), headers: { 'X-API-Key': key } }),
    async stop() {
      await server.stop(true);
      await models.stop();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
