// The whole service on one page: every part is made here, handed what it needs, started and stopped in order.
import { join } from 'node:path';
import { CHANNELS } from '@tickwire/contract';
import { Engine } from '@tickwire/engine';
import { addressReader } from './access/client-address.ts';
import { makeDemoKey } from './access/demo-key.ts';
import { FailedAttempts } from './access/failed-attempts.ts';
import { Keyring } from './access/keyring.ts';
import { Briefs } from './ai/brief.ts';
import { AiCalls } from './ai/calls.ts';
import { AiAnswers } from './ai/http.ts';
import { openModels } from './ai/open.ts';
import type { Config } from './config.ts';
import { healthOf } from './feeds/feed.ts';
import { type OpenFeeds, openFeeds as openConfigured } from './feeds/open.ts';
import type { Connection } from './gateway/connection.ts';
import { Gateway } from './gateway/gateway.ts';
import { upgradeTo } from './gateway/upgrade.ts';
import { createAnswers } from './http/answers.ts';
import { Api } from './http/api.ts';
import { corsFor } from './http/cors.ts';
import { Guard } from './http/guard.ts';
import { Answered, REMEMBERED_MS } from './http/idempotency.ts';
import { Ingest, MAX_BODY_BYTES } from './http/ingest.ts';
import { NewsAnswers } from './http/news.ts';
import { createPages } from './http/pages.ts';
import { SignalAnswers } from './http/signals.ts';
import { loadInstruments } from './instruments.ts';
import { Intake } from './journal/intake.ts';
import type { Journal } from './journal/journal.ts';
import { MemoryJournal } from './journal/memory-journal.ts';
import { SpikeFilter } from './journal/spike-filter.ts';
import { targetsOf } from './news/curation/targets.ts';
import { openNews } from './news/open.ts';
import { steadyNow } from './ops/clock.ts';
import { listen, readTls, serveMetrics } from './ops/listen.ts';
import type { Log } from './ops/log.ts';
import { observe } from './ops/observe.ts';
import { Timers } from './ops/timers.ts';
import { HeadWriter } from './signals/head-writer.ts';
import { openSignals } from './signals/open.ts';
import { sealDays } from './signals/seal.ts';
import { FLUSH_MS, Recorder } from './store/recorder.ts';
import { restoreMarket } from './store/restore.ts';
import { openSqliteStore } from './store/sqlite/open.ts';
import type { Store } from './store/store.ts';
import { MarketView } from './views/market-view.ts';

const DAY_MS = 86_400_000;
const CLOCK_MS = 100;
const REFRESH_MS = 250;
const SAVE_USAGE_MS = 500;
const PRUNE_MS = 3_600_000;
const MARK_MS = 10_000;
const MEASURE_MS = 60_000;
const DRAIN_MS = 2_000;

export interface App {
  readonly url: string;
  readonly metricsUrl: string | null;
  /** Made on the first start, never told again. */
  readonly demoKey: string | null;
  readonly store: Store;
  readonly journal: Journal;
  readonly keyring: Keyring;
  stop(): Promise<void>;
}

/** `openFeeds` may be another than the configuration's, as for a replay. */
export async function startApp(config: Config, log: Log, openFeeds: OpenFeeds = openConfigured): Promise<App> {
  const now = steadyNow;
  const startedAt = now();
  const simulated = config.realm === 'sim';
  const alwaysOpen = simulated && config.sim_hours === 'always';
  const folder = join(config.data, config.realm);
  const instruments = loadInstruments(config);
  const tls = readTls(config);
  const timers = new Timers(log);
  let stopping = false;
  const open: { stop(closeActive: boolean): Promise<void> }[] = [];

  const store = openSqliteStore({
    folder: config.data,
    realm: config.realm,
    exclusive: true,
    empty: config.realm === 'replay',
    onMigrated: (file, from, to, copy) => log.info('schema migrated', { file, from, to, backup: copy }),
  });
  try {
    // Access.
    const demoKey = simulated ? await makeDemoKey(store.access) : null;
    const keyring = new Keyring({ store: store.access, tiers: config.tiers, log, now });
    await keyring.load();
    const failures = new FailedAttempts(config.failed_keys_per_minute);
    const addressOf = addressReader(config.trusted_proxies);
    const guard = new Guard({ keyring, failures, addressOf });
    const nameOf = (publisher: string): string | undefined => keyring.nameOf(publisher);
    const publisherOf = (name: string): string | undefined => keyring.publisherOf(name);

    // Market: feed → intake → engine → journal → view, recorder, verifier, gateway.
    const engine = new Engine(instruments);
    const market = new MarketView(instruments);
    const barsUntil = (await store.market.number('bars_until')) ?? 0;
    const recorder = new Recorder({ store: store.market, instruments, log, barsUntil });
    const journal = await MemoryJournal.open(
      {
        load: async () => (await store.market.number('seq_reserved')) ?? 1,
        save: (ceiling) => store.market.setNumber('seq_reserved', ceiling),
      },
      log,
    );
    const spikes = simulated ? undefined : new SpikeFilter(config.spike_percent);
    const intake = new Intake({ instruments, engine, journal, log, ...(spikes && { spikes }), now });
    const signals = await openSignals({
      store,
      instruments,
      recorder,
      journal,
      realm: config.realm,
      folder,
      maxActive: config.max_active_signals,
      alwaysOpen,
      nameOf,
      publisherOf,
      now,
      log,
    });
    const { judge } = signals;
    const restored = await restoreMarket({ store: store.market, instruments, engine, view: market, recorder, judge });
    signals.restored();
    const passTime = (time: number): void => {
      const clock = feeds.clock(time);
      if (clock !== null) intake.clock(clock);
    };
    journal.subscribe(market.read);
    journal.subscribe(recorder.read);
    journal.subscribe(signals.desk.read);
    journal.subscribe(signals.feed.read);
    journal.subscribe(signals.records.read);
    const feeds = await openFeeds({
      config,
      instruments,
      engine,
      view: market,
      store: store.market,
      recorder,
      intake,
      restored,
      log,
      now,
    });
    const nameOfInstrument = new Map(instruments.map(({ symbol, name }) => [symbol, name]));
    const { models, llm } = openModels({
      settings: config,
      targetsOf: (symbol) => targetsOf(symbol, nameOfInstrument.get(symbol)),
      now,
      log,
    });
    open.push({ stop: () => models.stop() });
    const news = await openNews({ config, instruments, store, journal, models, now, log });
    journal.subscribe(news.feed.read);
    recorder.connected = () => feeds.connected(now());
    passTime(now());
    await recorder.flush();
    await signals.live();

    // Edges.
    const answered = new Answered(store.access, now);
    const ingest = new Ingest({
      feed: feeds.push,
      takeNews: news.newsroom.take,
      answered,
      linesPerMinute: config.ingest_lines_per_minute,
      now,
    });
    const gateway = new Gateway({ instruments, keyring, failures, journal, market, simulated, ingest, log, now });
    journal.subscribe(gateway.read);
    const answers = createAnswers({
      instruments,
      market,
      activeSignals: () => signals.feed.active,
      history: store.market,
      simulated,
      alwaysOpen,
      clients: () => gateway.slots.total,
      models: () => models.available(),
      feeds: () => feeds.feeds.map((feed) => feed.status()),
      quarantine: () => spikes?.quarantine ?? [],
      startedAt,
    });
    const checks = (): Record<string, string> => ({
      store: (recorder.failure ?? signals.ledger.failure)?.message ?? 'ok',
      ...Object.fromEntries(feeds.feeds.map((feed) => [`feed ${feed.status().name}`, healthOf(feed.status())])),
    });
    const { desk, ledger, feed, records } = signals;
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
      llm,
    });
    const api = new Api({
      answers,
      signals: new SignalAnswers({
        desk,
        ledger,
        feed,
        records,
        store: store.signals,
        answered,
        guard,
        nameOf,
        publisherOf,
      }),
      news: new NewsAnswers({
        feed: news.feed,
        store: store.news,
        sources: () => news.statuses(),
        leftOut: () => news.curator.leftOut,
      }),
      ai: new AiAnswers({
        calls: aiCalls,
        models,
        briefs,
        resolve: (code) => market.resolve(code),
        spec: (symbol) => specOf.get(symbol)!,
      }),
      ingest,
      guard,
      allowOrigin: corsFor(config.cors_origins),
      simulated,
      now,
      log,
      checks,
      stopping: () => stopping,
    });
    const pages = [...(await createPages(simulated))].map(([path, page]) => [path, api.page(page)] as const);
    const server = listen(config.port, config.host, 'port', (port) =>
      Bun.serve<Connection, string>({
        port,
        hostname: config.host,
        ...(tls && { tls }),
        // A little more than a body may have, so that the refusal is ours and says why.
        maxRequestBodySize: MAX_BODY_BYTES + 64 * 1024,
        idleTimeout: 60,
        routes: {
          ...api.routes(),
          ...Object.fromEntries(pages),
          ...Object.fromEntries(
            [...CHANNELS, 'ingest' as const].map((channel) => [
              `/ws/${channel}`,
              upgradeTo(channel, { api, guard, now, stopping: () => stopping }),
            ]),
          ),
        },
        fetch: api.notFound,
        websocket: gateway.handler,
        error: (error) => api.refuse(error, new Request('http://localhost/')),
      }),
    );
    open.push(server);
    gateway.start(server);

    const metrics = observe({
      api,
      gateway,
      intake,
      journal,
      recorder,
      signals,
      news,
      ai: { llm, calls: aiCalls },
      keyring,
      feeds: feeds.feeds,
      lateTicks: () => engine.lateTicks,
      now,
    });
    const metricsServer = serveMetrics(config, () => metrics.render(), log);
    if (metricsServer) open.push(metricsServer);

    let second = 0;
    timers.every(CLOCK_MS, 'the clock', () => {
      const time = now();
      if (Math.floor(time / 1000) === second) return;
      second = Math.floor(time / 1000);
      passTime(time);
    });
    timers.every(FLUSH_MS, 'recording', () => recorder.flush());
    timers.every(REFRESH_MS, 'reading keys', () => keyring.refresh());
    timers.every(SAVE_USAGE_MS, 'saving usage', () => keyring.save());
    timers.every(PRUNE_MS, 'forgetting answers', () => store.access.forgetAnswers(now() - REMEMBERED_MS));
    timers.every(PRUNE_MS, 'pruning the tape', async () => {
      const days = await store.market.pruneTape(now() - config.tape_days * DAY_MS);
      if (days > 0) log.info('old tape dropped', { days });
    });
    timers.every(MARK_MS, 'marking how far signals were judged', () => ledger.mark());
    const gone = new Set<string>();
    timers.every(PRUNE_MS, 'sealing days of the tape', () =>
      sealDays({ store, folder, now: now(), log, gone, seal: (day) => ledger.seal(day) }),
    );
    const heads = new HeadWriter({
      head: () => ledger.head(),
      file: config.head_file,
      webhook: config.head_webhook,
      everyMs: config.head_minutes * 60_000,
      log,
    });
    heads.start();
    timers.every(MEASURE_MS, 'measuring moves after news', () => news.measure(now()));
    timers.every(PRUNE_MS, 'forgetting old news', () => news.prune(now()));
    timers.every(PRUNE_MS, 'forgetting gaps', () => desk.forgetGaps());
    news.start();
    feeds.start();
    log.info('serving', {
      url: server.url.origin,
      simulated,
      instruments: instruments.length,
      ticks_restored: restored?.ticks ?? 0,
    });

    return {
      url: server.url.origin,
      metricsUrl: metricsServer?.url.origin ?? null,
      demoKey,
      store,
      journal,
      keyring,
      async stop() {
        stopping = true;
        feeds.stop();
        await news.stop();
        await gateway.stop(DRAIN_MS);
        for (const each of open) await each.stop(true);
        timers.stop();
        await recorder.flush();
        await ledger.settle();
        await ledger.mark().catch((error) => log.error('the signal log could not be marked', { error }));
        await heads.stop();
        await keyring.save().catch((error) => log.error('usage could not be saved', { error }));
        await store.close();
        log.info('stopped');
      },
    };
  } catch (error) {
    timers.stop();
    for (const each of open) await each.stop(true);
    await store.close();
    throw error;
  }
}
