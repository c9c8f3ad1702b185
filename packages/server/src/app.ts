// The whole service on one page: every part is made here, handed what it needs, started and stopped in order.
import { CHANNELS } from '@tickwire/contract';
import { Engine } from '@tickwire/engine';
import { addressReader } from './access/client-address.ts';
import { makeDemoKey } from './access/demo-key.ts';
import { FailedAttempts } from './access/failed-attempts.ts';
import { Keyring } from './access/keyring.ts';
import type { Config } from './config.ts';
import { openSimFeed } from './feeds/sim/open.ts';
import type { Connection } from './gateway/connection.ts';
import { Gateway } from './gateway/gateway.ts';
import { upgradeTo } from './gateway/upgrade.ts';
import { createAnswers } from './http/answers.ts';
import { Api } from './http/api.ts';
import { corsFor } from './http/cors.ts';
import { Guard } from './http/guard.ts';
import { createPages } from './http/pages.ts';
import { loadInstruments } from './instruments.ts';
import { Intake } from './journal/intake.ts';
import type { Journal } from './journal/journal.ts';
import { MemoryJournal } from './journal/memory-journal.ts';
import { NewsFeed } from './news/news-feed.ts';
import { steadyNow } from './ops/clock.ts';
import { listen, readTls, serveMetrics } from './ops/listen.ts';
import type { Log } from './ops/log.ts';
import { observe } from './ops/observe.ts';
import { Timers } from './ops/timers.ts';
import { SignalFeed } from './signals/signal-feed.ts';
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
const DRAIN_MS = 2_000;
/** A feed that brings nothing for so long is not well. */
const FEED_SILENCE_MS = 10_000;

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

export async function startApp(config: Config, log: Log): Promise<App> {
  const now = steadyNow;
  const startedAt = now();
  const simulated = config.realm === 'sim';
  const instruments = loadInstruments(config.instruments);
  const tls = readTls(config);
  const timers = new Timers(log);
  let stopping = false;
  const open: { stop(closeActive: boolean): Promise<void> }[] = [];

  const store = openSqliteStore({
    folder: config.data,
    realm: config.realm,
    exclusive: true,
    onMigrated: (file, from, to, copy) => log.info('schema migrated', { file, from, to, backup: copy }),
  });
  try {
    // Market: feed → intake → engine → journal → view, recorder, gateway.
    const engine = new Engine(instruments);
    const market = new MarketView(instruments);
    const signals = new SignalFeed();
    const news = new NewsFeed();
    const barsUntil = (await store.market.number('bars_until')) ?? 0;
    const recorder = new Recorder({ store: store.market, instruments, log, barsUntil });
    const journal = await MemoryJournal.open(
      {
        load: async () => (await store.market.number('seq_reserved')) ?? 1,
        save: (ceiling) => store.market.setNumber('seq_reserved', ceiling),
      },
      log,
    );
    const intake = new Intake({ instruments, engine, journal, log, now });
    const restored = await restoreMarket({ store: store.market, instruments, engine, view: market, recorder });
    journal.subscribe(market.read);
    journal.subscribe(signals.read);
    journal.subscribe(recorder.read);
    const feed = await openSimFeed({
      config,
      instruments,
      engine,
      view: market,
      store: store.market,
      sink: intake,
      recorder,
      restored,
      now,
    });
    intake.clock(now());
    await recorder.flush();

    // Access.
    const demoKey = simulated ? await makeDemoKey(store.access) : null;
    const keyring = new Keyring({ store: store.access, tiers: config.tiers, log, now });
    await keyring.load();
    const failures = new FailedAttempts(config.failed_keys_per_minute);
    const addressOf = addressReader(config.trusted_proxies);
    const guard = new Guard({ keyring, failures, addressOf });

    // Edges.
    const gateway = new Gateway({ instruments, keyring, failures, journal, market, simulated, log, now });
    journal.subscribe(gateway.read);
    const answers = createAnswers({
      instruments,
      market,
      signals,
      news,
      history: store.market,
      clients: () => gateway.slots.total,
      models: () => [],
      startedAt,
    });
    const checks = (): Record<string, string> => ({
      store: recorder.failure ? recorder.failure.message : 'ok',
      feed: now() - feed.status().lastEventAt < FEED_SILENCE_MS || config.sim_hours === 'real' ? 'ok' : 'silent',
    });
    const api = new Api({
      answers,
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
        // A request body is read nowhere yet; nothing large needs to come in.
        maxRequestBodySize: 1024 * 1024,
        idleTimeout: 60,
        routes: {
          ...api.routes(),
          ...Object.fromEntries(pages),
          ...Object.fromEntries(
            CHANNELS.map((channel) => [
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
      keyring,
      feed,
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
      // What happened before this time goes before it: bars must not close on ticks that are still to come.
      feed.step(time);
      intake.clock(time);
    });
    timers.every(FLUSH_MS, 'recording', () => recorder.flush());
    timers.every(REFRESH_MS, 'reading keys', () => keyring.refresh());
    timers.every(SAVE_USAGE_MS, 'saving usage', () => keyring.save());
    timers.every(PRUNE_MS, 'pruning the tape', async () => {
      const days = await store.market.pruneTape(now() - config.tape_days * DAY_MS);
      if (days > 0) log.info('old tape dropped', { days });
    });
    feed.start();
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
        feed.stop();
        await gateway.stop(DRAIN_MS);
        for (const each of open) await each.stop(true);
        timers.stop();
        await recorder.flush();
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
