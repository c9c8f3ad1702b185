// The REST API over parts without any data, for responses that are hard to provoke in a running service: no quote yet, a
// failing part, news without a source, a closed market.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { TIERS } from '@tickwire/contract';
import { CATALOGUE, trustedSources } from '@tickwire/engine';
import { AddressLimits } from '../src/access/address-limits.ts';
import { addressReader } from '../src/access/client-address.ts';
import { FailedAttempts } from '../src/access/failed-attempts.ts';
import { Keyring } from '../src/access/keyring.ts';
import { originReader } from '../src/access/public-origin.ts';
import { RowAllowance } from '../src/access/row-allowance.ts';
import { AiCalls } from '../src/ai/ai-calls.ts';
import { Briefs } from '../src/ai/brief.ts';
import { openModels } from '../src/ai/open-models.ts';
import { openAccounts } from '../src/app/accounts.ts';
import { CalendarFeed } from '../src/calendar/calendar-feed.ts';
import { CalendarIntake } from '../src/calendar/calendar-intake.ts';
import { AffectedInstruments } from '../src/calendar/currencies.ts';
import { ExportFiles } from '../src/export/export-files.ts';
import { AiHandlers } from '../src/http/ai-handlers.ts';
import type { AlertHandlers } from '../src/http/alert-handlers.ts';
import { Api } from '../src/http/api.ts';
import { CalendarHandlers } from '../src/http/calendar-handlers.ts';
import { corsFor } from '../src/http/cors.ts';
import { EvidenceHandler, KeptHeadHandlers } from '../src/http/evidence-handlers.ts';
import { Guard } from '../src/http/guard.ts';
import { HistoryFiles } from '../src/http/history-files.ts';
import { HistoryHandlers } from '../src/http/history-handlers.ts';
import { IdempotencyCache } from '../src/http/idempotency-cache.ts';
import { type IngestHandlers, ingestHandlers } from '../src/http/ingest-handlers.ts';
import { createMarketHandlers } from '../src/http/market-handlers.ts';
import { NewsHandlers } from '../src/http/news-handlers.ts';
import { PublicRecordHandlers } from '../src/http/public-records.ts';
import { PushHandlers } from '../src/http/push-handlers.ts';
import { SignalHandlers } from '../src/http/signal-handlers.ts';
import { UdfHandlers } from '../src/http/udf-handlers.ts';
import { createUsageHandler } from '../src/http/usage-handler.ts';
import type { Journal } from '../src/journal/journal.ts';
import { MemoryJournal } from '../src/journal/memory-journal.ts';
import { readPosition } from '../src/journal/read-position.ts';
import { MarketView } from '../src/market/market-view.ts';
import { Recorder } from '../src/market/recorder.ts';
import { NewsFeed } from '../src/news/news-feed.ts';
import { silentLog } from '../src/ops/log.ts';
import { openSignals } from '../src/signals/open-signals.ts';
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

const NO_LLM = {
  llm_url: null,
  llm_model: null,
  llm_key: null,
  llm_timeout_ms: 1_000,
  llm_requests_per_day: 1_000,
  llm_price_in: 0,
  llm_price_out: 0,
} as const;

export interface BareApiOptions {
  /** The time of the market. Default: the system clock. */
  readonly now?: () => number;
  /** Replaces the ingest handlers of this process. */
  readonly ingest?: IngestHandlers;
}

export async function serveBareApi({ now = Date.now, ingest }: BareApiOptions = {}): Promise<BareApi> {
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
    isTrusted: trustedSources(),
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
  journal.subscribe(signals.events.read);
  journal.subscribe(signals.service.read);
  journal.subscribe(signals.feed.read);
  const checks: Record<string, string> = { store: 'ok', feed: 'ok' };
  const market = new MarketView(CATALOGUE);
  const responses = createMarketHandlers({
    instruments: CATALOGUE,
    market,
    activeSignals: () => signals.feed.active,
    history: { bars: async () => [], watched: async () => [] },
    volumes: { histograms: async () => [], firstTradeBar: async () => undefined },
    simulated: false,
    alwaysOpen: false,
    venueSymbols: new Set(),
    clients: () => 0,
    models: () => [],
    startedAt: Date.now(),
    position: readPosition(journal),
  });
  const idempotency = new IdempotencyCache(access, Date.now);
  const { models } = await openModels({ settings: NO_LLM, now: Date.now, log: silentLog });
  const guard = new Guard({
    keyring,
    failures: new FailedAttempts(20),
    addressLimits: new AddressLimits(10_000),
    addressOf: addressReader([]),
    originOf: originReader({ publicUrl: null, tls: false, trustedProxies: [] }),
  });
  const accounts = openAccounts({
    store: access,
    keyring,
    guard,
    idempotency,
    registration: 'closed',
    keyCreationsPerDay: 200,
    revokedKeyDays: 90,
    tiers: TIERS,
    audit: { days: 365, maxEntries: 100_000 },
    twoFactorKey: null,
    connections: Object.assign([], { size: 0 }),
    resolveSymbol: (code) => market.resolve(code),
    log: silentLog,
    now: Date.now,
  });
  const { service: desk, ledger, feed, trackRecords: records } = signals;
  const newsAnswers = new NewsHandlers({
    feed: news,
    store: store.news,
    sources: () => [],
    leftOut: () => ({}),
    market,
    history: { bars: async () => [] },
  });
  const calendar = new CalendarFeed({ store: store.calendar, except: null });
  await calendar.restore(Date.now());
  const resolve = (code: string) => market.resolve(code);
  const calendarHandlers = new CalendarHandlers({ feed: calendar, resolve, sources: () => [] });
  const calendarIntake = new CalendarIntake({
    store: store.calendar,
    journal: { append: (events) => calendar.read({ firstSeq: 1, source: '', events }) },
    affected: new AffectedInstruments(CATALOGUE),
    now: Date.now,
  });
  const signalHandlers = new SignalHandlers({
    feed,
    records,
    store: store.signals,
    tape: store.market,
    market,
    nameOf,
    publisherOf,
    marks: calendar.marks,
  });
  const api = new Api({
    ...accounts.handlers,
    resolveSymbol: (code) => market.resolve(code),
    market: responses,
    history: new HistoryHandlers({
      instruments: CATALOGUE,
      market,
      store: store.market,
      tape: store.market,
      volumes: store.market,
      position: () => null,
      simulated: false,
      alwaysOpen: false,
      tapeDays: 14,
      files: new HistoryFiles({ files: new ExportFiles(Date.now), allowance: new RowAllowance(), now: Date.now }),
    }),
    udf: new UdfHandlers({
      instruments: CATALOGUE,
      market,
      bars: store.market,
      marks: { signals: feed, news },
      simulated: false,
    }),
    usage: createUsageHandler(store.signals),
    eventStream: () => '',
    signals: signalHandlers,
    publicRecords: new PublicRecordHandlers({
      enabled: false,
      signals: signalHandlers,
      records,
      store: store.signals,
      publisherOf,
    }),
    heads: new KeptHeadHandlers(store),
    news: newsAnswers,
    calendar: calendarHandlers,
    ingest:
      ingest ??
      ingestHandlers({
        signalService: desk,
        ledger,
        store: store.signals,
        audit: (entry) => access.audit({ ...entry, at: Date.now() }),
        evidence: new EvidenceHandler({
          store,
          folder: join(folder, 'live'),
          resolve,
        }),
        news: newsAnswers,
        calendar: calendarHandlers,
        push: new PushHandlers({
          feed: null,
          takeNews: () => {},
          newsSources: () => [],
          takeCalendar: calendarIntake.take,
          calendarSources: () => [],
          idempotency,
          linesPerMinute: 1_000,
          now: Date.now,
        }),
        idempotency,
        feeds: () => [],
        quarantine: () => [],
        alerts: {} as AlertHandlers,
        languageModel: { llm: null, agreement: null, requestsPerDay: 5_000, startedAt: Date.now() },
      }),
    ai: new AiHandlers({
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
    tls: false,
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
