// The HTTP server: REST, WebSocket and pages on one port, and the usage of accounts.
import { join } from 'node:path';
import { CHANNELS } from '@tickwire/contract';
import { HOUR_MS, type InstrumentSpec, MINUTE_MS } from '@tickwire/engine';
import type { Server } from 'bun';
import type { AttemptThrottle } from '../access/accounts/attempt-throttle.ts';
import { loadedEverywhere } from '../access/loaded-everywhere.ts';
import { RowAllowance, type RowCounter } from '../access/row-allowance.ts';
import { AiCalls } from '../ai/ai-calls.ts';
import { Briefs } from '../ai/brief.ts';
import type { SharedSlots } from '../cluster/shared-slots.ts';
import type { Config } from '../config/config.ts';
import { UnsubscribeLinks } from '../delivery/unsubscribe-links.ts';
import { ExportFiles } from '../export/export-files.ts';
import { settledBars } from '../history/settled-bars.ts';
import { AiHandlers } from '../http/ai-handlers.ts';
import { alertHandlers } from '../http/alert-handlers.ts';
import { Api } from '../http/api.ts';
import { CalendarHandlers } from '../http/calendar-handlers.ts';
import { corsFor } from '../http/cors.ts';
import { dataLinkRoutes } from '../http/data-links.ts';
import { EvidenceHandler, KeptHeadHandlers } from '../http/evidence-handlers.ts';
import { guideRoutes } from '../http/guide-pages.ts';
import type { Handler } from '../http/handler.ts';
import { HistoryFiles } from '../http/history-files.ts';
import { HistoryHandlers } from '../http/history-handlers.ts';
import { IDEMPOTENCY_TTL_MS, IdempotencyCache } from '../http/idempotency-cache.ts';
import { IdempotentSecrets } from '../http/idempotent-secrets.ts';
import { type IngestHandlers, ingestHandlers } from '../http/ingest-handlers.ts';
import type { IngestProxy } from '../http/ingest-proxy.ts';
import { createMarketHandlers } from '../http/market-handlers.ts';
import { NewsHandlers } from '../http/news-handlers.ts';
import { PageServer } from '../http/page-server.ts';
import { createPages } from '../http/pages.ts';
import { publicPageRoutes } from '../http/public-pages.ts';
import { PublicRecordHandlers } from '../http/public-records.ts';
import { MAX_BODY_BYTES, PushHandlers } from '../http/push-handlers.ts';
import { SignalHandlers } from '../http/signal-handlers.ts';
import { UdfHandlers } from '../http/udf-handlers.ts';
import { closeAfterUnreadBody } from '../http/unread-body.ts';
import { unsubscribeElsewhere, unsubscribeRoutes } from '../http/unsubscribe-page.ts';
import { createUsageHandler } from '../http/usage-handler.ts';
import { readPosition } from '../journal/read-position.ts';
import { openBarSource, type StoredBars } from '../market/bar-source.ts';
import { venueSymbols } from '../market/instruments.ts';
import { mcpEndpoint } from '../mcp/http-endpoint.ts';
import { LocalRoutes } from '../mcp/local-service.ts';
import type { Log } from '../ops/log.ts';
import type { Timers } from '../ops/timers.ts';
import type { Store } from '../store/store.ts';
import { TWO_FACTOR_KEY } from '../store/two-factor-store.ts';
import type { Connection } from '../ws/connection.ts';
import { eventStreams } from '../ws/event-streams.ts';
import { Gateway } from '../ws/gateway.ts';
import { upgradeTo } from '../ws/upgrade.ts';
import type { Access } from './access.ts';
import { openAccounts } from './accounts.ts';
import { listen, type readTls } from './listen.ts';
import { LoadedChanges } from './loaded-changes.ts';
import type { Pipeline } from './pipeline.ts';
import type { ReadModels } from './read-models.ts';

const REFRESH_MS = 250;
const SAVE_USAGE_MS = 500;
const HISTORY_MS = 5_000;
const PRUNE_MS = HOUR_MS;
const SESSIONS_MS = MINUTE_MS;
const PRUNE_AUDIT_MS = MINUTE_MS;
/** All gateways load a change within REFRESH_MS. One that does not respond must not delay sign-ins for longer. */
const SHARE_CHANGES_MS = 3_000;
const DRAIN_MS = 2_000;

export interface HttpServerOptions {
  readonly config: Config;
  readonly instruments: readonly InstrumentSpec[];
  readonly store: Store;
  readonly access: Access;
  readonly readModels: ReadModels;
  /** The pipeline in this process; `null` on a gateway node, which uses `ingestProxy` instead. */
  readonly pipeline: Pipeline | null;
  readonly ingestProxy?: IngestProxy;
  /** The port of an ingest node: serves only `/healthz` and `/readyz`. Gateways use the link server. Default `false`. */
  readonly internal?: boolean;
  readonly sharedSlots?: SharedSlots;
  /** Counts rows of files over all gateways. Default: in this process. */
  readonly rowCounter?: RowCounter;
  /** Counts sign-ins over all gateways. Default: in this process. */
  readonly throttle?: AttemptThrottle;
  /** Open authenticated connections of all gateways. Default: those of this process. */
  readonly clients?: () => number;
  readonly tls: ReturnType<typeof readTls>;
  readonly startedAt: number;
  readonly now: () => number;
  readonly log: Log;
}

export interface HttpServer {
  readonly api: Api;
  readonly gateway: Gateway;
  readonly aiCalls: AiCalls;
  /** Opens the port, or takes over the server that listens on it. Every key created before is accepted then. */
  listen(server?: Server<Connection>): Promise<URL>;
  start(timers: Timers): void;
  /** Rejects new requests and connections with `shutting_down`. */
  rejectNew(): void;
  /** Notifies clients, drains their connections and closes the port. */
  stop(): Promise<void>;
  /** Stores the usage counted so far. */
  saveUsage(): Promise<void>;
}

export function openHttpServer(options: HttpServerOptions): HttpServer {
  const {
    config,
    instruments,
    store,
    access,
    readModels,
    pipeline,
    internal = false,
    tls,
    startedAt,
    now,
    log,
  } = options;
  const { keyring, failures, guard, nameOf, publisherOf } = access;
  const { journal, market, news, models } = readModels;
  const { feed, trackRecords: records, events: announcements } = readModels.signals;
  const simulated = config.realm === 'sim';
  let stopping = false;
  const idempotency = new IdempotencyCache(store.access, now);
  const stored: StoredBars = pipeline
    ? store.market
    : {
        bars: settledBars(store.market, market),
        watched: (...query) => store.market.watched(...query),
        number: (name) => store.market.number(name),
      };
  const bars = openBarSource(config, instruments, stored, now);
  const newsHandlers = new NewsHandlers({
    feed: news.feed,
    store: store.news,
    sources: () => pipeline?.news.statuses() ?? [],
    leftOut: () => pipeline?.news.curator.leftOut ?? {},
    market,
    history: bars,
  });
  const calendarHandlers = new CalendarHandlers({
    feed: readModels.calendar.feed,
    resolve: (code) => market.resolve(code),
    sources: () => pipeline?.calendar.statuses() ?? [],
  });
  const push = pipeline && openPush(pipeline, config, idempotency, now);
  const localHandlers =
    pipeline && push
      ? openIngestHandlers(pipeline, config, store, newsHandlers, calendarHandlers, push, idempotency, now)
      : null;
  const rows = new RowAllowance(options.rowCounter);
  const gateway = new Gateway({
    instruments,
    keyring,
    failures,
    journal,
    market,
    signalEvents: announcements,
    history: bars,
    simulated,
    ingest: push ?? options.ingestProxy!,
    follows: pipeline === null,
    ...(options.sharedSlots && { sharedSlots: options.sharedSlots }),
    rows,
    limits: config,
    log,
    now,
  });
  const position = readPosition(journal);
  const marketHandlers = createMarketHandlers({
    instruments,
    market,
    activeSignals: () => feed.active,
    history: bars,
    volumes: store.market,
    simulated,
    alwaysOpen: simulated && config.sim_hours === 'always',
    venueSymbols: venueSymbols(config, instruments),
    ...(config.realm === 'replay' && { marketTime: () => market.time }),
    clients: options.clients ?? (() => gateway.slots.total),
    models: () => models.models.available(),
    startedAt,
    position,
  });
  const exportFiles = new ExportFiles(now);
  const historyHandlers = new HistoryHandlers({
    instruments,
    market,
    store: bars,
    tape: store.market,
    volumes: store.market,
    position,
    ...(pipeline && { recorded: () => recorded(pipeline) }),
    simulated,
    alwaysOpen: simulated && config.sim_hours === 'always',
    tapeDays: config.tape_days,
    files: new HistoryFiles({ files: exportFiles, allowance: rows, now }),
  });
  const specOf = new Map(instruments.map((spec) => [spec.symbol, spec]));
  const aiCalls = new AiCalls({ store: store.access, now });
  const briefs = new Briefs({
    sources: {
      spec: (symbol) => specOf.get(symbol)!,
      quote: (symbol) => market.tick(symbol),
      bar: (symbol, timeframe) => market.latestBar(symbol, timeframe),
      flow: (symbol) => market.flow(symbol),
      signals: (symbol) => feed.activeOf(symbol),
      news: (symbol) => news.feed.of(symbol),
    },
    llm: models.llm,
  });
  const accounts = openAccounts({
    store: store.access,
    keyring,
    guard,
    idempotency,
    registration: config.registration,
    ...(options.throttle && { throttle: options.throttle }),
    ...(config.role === 'gateway' && {
      shareChanges: () => loadedEverywhere(store.access, SHARE_CHANGES_MS).catch(() => false),
    }),
    keyCreationsPerDay: config.key_creations_per_day,
    revokedKeyDays: config.revoked_key_days,
    tiers: config.tiers,
    audit: { days: config.audit_days, maxEntries: config.audit_entries },
    // The gateways of a cluster share no folder, so they have a key only if it is configured.
    twoFactorKey: config.two_factor_key ?? (config.role === 'gateway' ? null : join(config.data, TWO_FACTOR_KEY)),
    connections: gateway.connections,
    resolveSymbol: (code) => market.resolve(code),
    log,
    now,
  });
  const loadedChanges = new LoadedChanges(store.access, keyring);
  const signalHandlers = new SignalHandlers({
    feed,
    records,
    store: store.signals,
    tape: store.market,
    market,
    nameOf,
    publisherOf,
    marks: readModels.calendar.feed.marks,
  });
  const publicRecords = config.public_records === 'on';
  // A gateway without the key of destinations cannot check links.
  const links = config.role === 'gateway' && config.delivery_key === null ? null : new UnsubscribeLinks(config);
  const api = new Api({
    ...accounts.handlers,
    market: marketHandlers,
    history: historyHandlers,
    udf: new UdfHandlers({ instruments, market, bars, marks: { signals: feed, news: news.feed }, simulated }),
    signals: signalHandlers,
    publicRecords: new PublicRecordHandlers({
      enabled: publicRecords,
      signals: signalHandlers,
      records,
      store: store.signals,
      publisherOf,
    }),
    heads: new KeptHeadHandlers(store),
    news: newsHandlers,
    calendar: calendarHandlers,
    usage: createUsageHandler(store.signals),
    eventStream: eventStreams({ gateway, guard, keyring, now }),
    ingest: localHandlers ?? options.ingestProxy!.handlers,
    ai: new AiHandlers({
      calls: aiCalls,
      models: models.models,
      briefs,
      resolve: (code) => market.resolve(code),
      spec: (symbol) => specOf.get(symbol)!,
    }),
    guard,
    allowOrigin: corsFor(config.cors_origins),
    resolveSymbol: (code) => market.resolve(code),
    simulated,
    tls: tls !== null,
    now,
    log,
    checks: () => readModels.checks(),
    stopping: () => stopping,
  });
  const pages = new PageServer({
    build: () => createPages(simulated),
    handlerOf: (page) => api.page(page),
    notFound: api.notFound,
    log,
    soon: process.stdout.isTTY,
  });
  const bounded = (handlers: Record<string, Handler>) =>
    Object.fromEntries(Object.entries(handlers).map(([path, handle]) => [path, closeAfterUnreadBody(handle)]));
  const apiRoutes = internal ? {} : api.routes();
  const routes = internal
    ? bounded(api.routes(['healthz', 'readyz']))
    : {
        ...bounded(apiRoutes),
        ...bounded({
          '/mcp': mcpEndpoint({
            api,
            guard,
            routes: new LocalRoutes(apiRoutes, api.notFound),
            publicOrigin: config.public_url && new URL(config.public_url).origin,
            now,
            stopping: () => stopping,
            log,
          }),
        }),
        ...bounded(guideRoutes(api, log)),
        ...bounded(dataLinkRoutes({ api, guard, routes: apiRoutes, now })),
        ...(publicRecords && bounded(publicPageRoutes({ records, market, publisherOf }, api))),
        ...bounded(
          links === null
            ? unsubscribeElsewhere(api)
            : unsubscribeRoutes(
                {
                  destinationOf: (token) => links.destinationOf(token),
                  unsubscribe: (id) => store.delivery.changeDestination(id, { state: 'unsubscribed' }),
                },
                api,
              ),
        ),
        ...Object.fromEntries(
          [...CHANNELS, 'ws' as const, 'ingest' as const].map((kind) => [
            kind === 'ws' ? '/ws' : `/ws/${kind}`,
            upgradeTo(kind, { api, guard, connections: gateway.connections, now, stopping: () => stopping }),
          ]),
        ),
      };
  const serveOptions = {
    hostname: config.host,
    reusePort: config.reuse_port,
    ...(tls && { tls }),
    // A little more than our own limit, which rejects a body with an explanation.
    maxRequestBodySize: MAX_BODY_BYTES + 64 * 1024,
    idleTimeout: 60,
    routes,
    fetch: closeAfterUnreadBody(internal ? api.notFound : pages.handle),
    websocket: gateway.handler,
    error: (error: unknown) => api.refuse(error, new Request('http://localhost/'), null),
  };
  let listening: Server<Connection> | null = null;
  const rejectNew = (): void => {
    stopping = true;
    pages.stop();
  };

  return {
    api,
    gateway,
    aiCalls,
    async listen(server) {
      // Without the store, the timer loads them as soon as it is back.
      await loadedChanges.join().catch((error) => log.warn('new keys could not be loaded', { error }));
      listening =
        server?.reload<string>(serveOptions) ??
        listen(config.port, config.host, 'port', (port) => Bun.serve<Connection, string>({ port, ...serveOptions }));
      gateway.start(listening);
      return listening.url;
    },
    start(timers) {
      loadedChanges.start(timers, REFRESH_MS);
      if (internal) return;
      timers.every(SAVE_USAGE_MS, 'saving usage', () => keyring.save());
      timers.every(HISTORY_MS, 'recording usage', () => accounts.recordUsage());
      timers.every(SESSIONS_MS, 'ending expired sessions', () => accounts.endExpiredSessions());
      timers.every(PRUNE_MS, 'deleting old keys and old usage', () => accounts.prune());
      timers.every(PRUNE_AUDIT_MS, 'deleting old audit entries', () => accounts.pruneAudit());
      timers.every(PRUNE_MS, 'deleting old idempotency keys', () =>
        store.access.forgetAnswers(now() - IDEMPOTENCY_TTL_MS),
      );
    },
    rejectNew,
    async stop() {
      rejectNew();
      await loadedChanges.stop().catch((error) => log.warn('the stop could not be reported', { error }));
      await gateway.stop(DRAIN_MS);
      await listening?.stop(true);
      exportFiles.close();
    },
    async saveUsage() {
      if (internal) return;
      await keyring.save();
      await accounts.recordUsage();
    },
  };
}

/** Whether everything so far is on the tape. */
async function recorded({ recorder }: Pipeline): Promise<boolean> {
  await recorder.drain();
  return recorder.failure === null;
}

const openPush = (
  { feeds, news, calendar }: Pipeline,
  config: Config,
  idempotency: IdempotencyCache,
  now: () => number,
): PushHandlers =>
  new PushHandlers({
    feed: feeds.push,
    takeNews: news.pipeline.take,
    newsSources: () => news.statuses().map(({ name }) => name),
    takeCalendar: calendar.intake.take,
    calendarSources: () => calendar.statuses().map(({ name }) => name),
    idempotency,
    linesPerMinute: config.ingest_lines_per_minute,
    now,
  });

const openIngestHandlers = (
  { signals: { service, ledger }, market, feeds, spikes, alerts, models: { llm, agreement } }: Pipeline,
  { data, realm, llm_requests_per_day: requestsPerDay }: Config,
  store: Store,
  news: NewsHandlers,
  calendar: CalendarHandlers,
  push: PushHandlers,
  idempotency: IdempotencyCache,
  now: () => number,
): IngestHandlers =>
  ingestHandlers({
    signalService: service,
    ledger,
    store: store.signals,
    audit: (entry) => store.access.audit({ ...entry, at: Date.now() }),
    evidence: new EvidenceHandler({ store, folder: join(data, realm), resolve: (code) => market.resolve(code) }),
    news,
    calendar,
    push,
    idempotency,
    feeds: () => feeds.feeds.map((feed) => feed.status()),
    quarantine: () => spikes?.quarantine ?? [],
    alerts: alertHandlers({
      alerts,
      store: store.alerts,
      resolve: (code) => market.resolve(code),
      secrets: new IdempotentSecrets(idempotency, now),
    }),
    languageModel: { llm, agreement, requestsPerDay, startedAt: now() },
  });
