// The front: what callers reach. REST, WebSocket and the pages, on one port; with what accounts have used.
import { CHANNELS } from '@tickwire/contract';
import type { InstrumentSpec } from '@tickwire/engine';
import type { Server } from 'bun';
import { openAccounts } from '../accounts/open.ts';
import { Briefs } from '../ai/brief.ts';
import { AiCalls } from '../ai/calls.ts';
import { AiAnswers } from '../ai/http.ts';
import type { PassOn } from '../cluster/pass-on.ts';
import type { SharedSlots } from '../cluster/shared-slots.ts';
import type { Config } from '../config.ts';
import type { Connection } from '../gateway/connection.ts';
import { Gateway } from '../gateway/gateway.ts';
import { upgradeTo } from '../gateway/upgrade.ts';
import { createAnswers } from '../http/answers.ts';
import { Api } from '../http/api.ts';
import { corsFor } from '../http/cors.ts';
import { type FloorAnswers, floorAnswers } from '../http/floor-answers.ts';
import { Answered, REMEMBERED_MS } from '../http/idempotency.ts';
import { Ingest, MAX_BODY_BYTES } from '../http/ingest.ts';
import { NewsAnswers } from '../http/news.ts';
import { PageServer } from '../http/page-server.ts';
import { createPages } from '../http/pages.ts';
import { SignalAnswers } from '../http/signals.ts';
import { listen, type readTls } from '../ops/listen.ts';
import type { Log } from '../ops/log.ts';
import type { Timers } from '../ops/timers.ts';
import type { Store } from '../store/store.ts';
import type { Access } from './access.ts';
import type { Floor } from './floor.ts';
import type { Scene } from './scene.ts';

const REFRESH_MS = 250;
const SAVE_USAGE_MS = 500;
const HISTORY_MS = 5_000;
const PRUNE_MS = 3_600_000;
const DRAIN_MS = 2_000;

export interface OpenFrontOptions {
  readonly config: Config;
  readonly instruments: readonly InstrumentSpec[];
  readonly store: Store;
  readonly access: Access;
  readonly scene: Scene;
  /** In the same process; null where another one has it, and `elsewhere` asks it. */
  readonly floor: Floor | null;
  readonly elsewhere?: PassOn;
  /** For gateways of the cluster alone: no streams, no pages, nothing counted. */
  readonly inner?: boolean;
  readonly sharedSlots?: SharedSlots;
  /** Open authenticated connections of all gateways; of this process alone where left out. */
  readonly clients?: () => number;
  readonly tls: ReturnType<typeof readTls>;
  readonly startedAt: number;
  readonly now: () => number;
  readonly log: Log;
}

export interface Front {
  readonly api: Api;
  readonly gateway: Gateway;
  readonly aiCalls: AiCalls;
  /** Opens the port, or answers on one that is open. Whoever comes finds everything in its place. */
  listen(server?: Server<Connection>): URL;
  start(timers: Timers): void;
  /** Nothing new is taken on. */
  shut(): void;
  /** Tells everyone, lets what is under way end, closes the port. */
  stop(): Promise<void>;
  /** What was used is written. */
  settle(): Promise<void>;
}

export function openFront(options: OpenFrontOptions): Front {
  const { config, instruments, store, access, scene, floor, inner = false, tls, startedAt, now, log } = options;
  const { keyring, failures, guard, nameOf, publisherOf } = access;
  const { journal, market, news, models } = scene;
  const { feed, records, announcements } = scene.signals;
  const simulated = config.realm === 'sim';
  let stopping = false;
  const answered = new Answered(store.access, now);
  const newsAnswers = new NewsAnswers({
    feed: news.feed,
    store: store.news,
    sources: () => floor?.news.statuses() ?? [],
    leftOut: () => floor?.news.curator.leftOut ?? {},
  });
  const ingest = floor && openIngest(floor, config, answered, now);
  const floorOrElsewhere = floor && ingest ? answersOf(floor, store, newsAnswers, ingest, answered) : null;
  const gateway = new Gateway({
    instruments,
    keyring,
    failures,
    journal,
    market,
    announcements,
    simulated,
    ingest: ingest ?? options.elsewhere!,
    ...(options.sharedSlots && { sharedSlots: options.sharedSlots }),
    limits: config,
    log,
    now,
  });
  const answers = createAnswers({
    instruments,
    market,
    activeSignals: () => feed.active,
    history: store.market,
    simulated,
    alwaysOpen: simulated && config.sim_hours === 'always',
    clients: options.clients ?? (() => gateway.slots.total),
    models: () => models.models.available(),
    startedAt,
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
    answered,
    registration: config.registration,
    tiers: config.tiers,
    connections: gateway.connections,
    now,
  });
  const api = new Api({
    ...accounts.answers,
    answers,
    signals: new SignalAnswers({ feed, records, store: store.signals, nameOf, publisherOf }),
    news: newsAnswers,
    floor: floorOrElsewhere ?? options.elsewhere!.answers,
    ai: new AiAnswers({
      calls: aiCalls,
      models: models.models,
      briefs,
      resolve: (code) => market.resolve(code),
      spec: (symbol) => specOf.get(symbol)!,
    }),
    guard,
    allowOrigin: corsFor(config.cors_origins),
    simulated,
    now,
    log,
    checks: () => scene.checks(),
    stopping: () => stopping,
  });
  const pages = new PageServer({
    make: () => createPages(simulated),
    handlerOf: (page) => api.page(page),
    notFound: api.notFound,
    log,
  });
  const routes = {
    ...api.routes(),
    ...Object.fromEntries(
      (inner ? [] : [...CHANNELS, 'ingest' as const]).map((channel) => [
        `/ws/${channel}`,
        upgradeTo(channel, { api, guard, connections: gateway.connections, now, stopping: () => stopping }),
      ]),
    ),
  };
  const serving = {
    hostname: config.host,
    ...(tls && { tls }),
    // A little more than a body may have, so that the refusal is ours and says why.
    maxRequestBodySize: MAX_BODY_BYTES + 64 * 1024,
    idleTimeout: 60,
    routes,
    fetch: inner ? api.notFound : pages.handle,
    websocket: gateway.handler,
    error: (error: unknown) => api.refuse(error, new Request('http://localhost/')),
  };
  let open: Server<Connection> | null = null;

  return {
    api,
    gateway,
    aiCalls,
    listen(server) {
      open =
        server?.reload<string>(serving) ??
        listen(config.port, config.host, 'port', (port) => Bun.serve<Connection, string>({ port, ...serving }));
      gateway.start(open);
      return open.url;
    },
    start(timers) {
      timers.every(REFRESH_MS, 'reading keys', () => keyring.refresh());
      if (inner) return;
      timers.every(SAVE_USAGE_MS, 'saving usage', () => keyring.save());
      timers.every(HISTORY_MS, 'recording usage', () => accounts.record());
      timers.every(PRUNE_MS, 'forgetting sessions and usage', () => accounts.forget());
      timers.every(PRUNE_MS, 'forgetting answers', () => store.access.forgetAnswers(now() - REMEMBERED_MS));
    },
    shut() {
      stopping = true;
      pages.stop();
    },
    async stop() {
      await gateway.stop(DRAIN_MS);
      await open?.stop(true);
    },
    async settle() {
      if (inner) return;
      await keyring.save();
      await accounts.record();
    },
  };
}

const openIngest = ({ feeds, news }: Floor, config: Config, answered: Answered, now: () => number): Ingest =>
  new Ingest({
    feed: feeds.push,
    takeNews: news.newsroom.take,
    answered,
    linesPerMinute: config.ingest_lines_per_minute,
    now,
  });

const answersOf = (
  { signals: { desk, ledger }, feeds, spikes }: Floor,
  store: Store,
  news: NewsAnswers,
  ingest: Ingest,
  answered: Answered,
): FloorAnswers =>
  floorAnswers({
    desk,
    ledger,
    store: store.signals,
    news,
    ingest,
    answered,
    feeds: () => feeds.feeds.map((each) => each.status()),
    quarantine: () => spikes?.quarantine ?? [],
  });
