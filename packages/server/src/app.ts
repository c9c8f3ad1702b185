// The whole service on one page: every part is made here, handed what it needs, started and stopped in order.
import { readFileSync } from 'node:fs';
import { asyncApiDocument, CHANNELS, type Channel, openApiDocument } from '@tickwire/contract';
import { asEpochMs, Engine } from '@tickwire/engine';
import type { Server } from 'bun';
import { addressReader } from './access/client-address.ts';
import { makeDemoKey } from './access/demo-key.ts';
import { FailedAttempts } from './access/failed-attempts.ts';
import { Keyring } from './access/keyring.ts';
import { type Config, ConfigError } from './config.ts';
import { SimFeed } from './feeds/sim/feed.ts';
import { writeFirstHistory } from './feeds/sim/first-history.ts';
import { SimMarket } from './feeds/sim/market.ts';
import { Connection } from './gateway/connection.ts';
import { Gateway } from './gateway/gateway.ts';
import { createAnswers } from './http/answers.ts';
import { Api, type Handler } from './http/api.ts';
import { ApiError } from './http/api-error.ts';
import { corsFor } from './http/cors.ts';
import { Guard } from './http/guard.ts';
import { referencePage } from './http/reference-page.ts';
import { bundleTerminal } from './http/terminal-assets.ts';
import { loadInstruments } from './instruments.ts';
import { Intake } from './journal/intake.ts';
import type { Journal } from './journal/journal.ts';
import { MemoryJournal } from './journal/memory-journal.ts';
import { NewsFeed } from './news/news-feed.ts';
import { steadyNow } from './ops/clock.ts';
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
const METRICS_PORT = 9464;
/** After a longer absence simulated history is made anew instead of filled minute by minute. */
const LONGEST_FILL_MS = 7 * DAY_MS;
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
    const sim = new SimMarket(instruments, { seed: config.sim_seed, rate: config.sim_rate, hours: config.sim_hours });
    const feed = new SimFeed({ market: sim, sink: intake, now });

    const restored = await restoreMarket({ store: store.market, instruments, engine, view: market, recorder });
    let from = restored ? asEpochMs(restored.until + 1) : asEpochMs(0);
    if (now() - from > LONGEST_FILL_MS) {
      const until = SimFeed.reach(config.sim_rate, now());
      await writeFirstHistory({ market: sim, engine, view: market, store: store.market, until, keepUntil: from });
      from = until;
    }
    journal.subscribe(market.read);
    journal.subscribe(signals.read);
    journal.subscribe(recorder.read);
    feed.catchUp(from);
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
    const gateway = new Gateway({ instruments, keyring, failures, journal, market, simulated, now });
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
    const upgrade =
      (channel: Channel) =>
      (request: Request, server: Server<Connection>): Response | undefined => {
        try {
          if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
            throw new ApiError('upgrade_required', 'Connect with a WebSocket client.', {
              headers: { Upgrade: 'websocket' },
            });
          }
          if (stopping)
            throw new ApiError('shutting_down', 'The service is stopping.', { headers: { 'Retry-After': '2' } });
          const caller = guard.hasKey(request) ? guard.authenticate(request, server, now()) : null;
          if (caller) guard.scope(caller, 'read');
          const data = new Connection(channel, guard.address(request, server), caller, now());
          if (server.upgrade(request, { data })) return undefined;
          throw new ApiError('upgrade_required', 'The WebSocket handshake is not complete.', {
            headers: { Upgrade: 'websocket' },
          });
        } catch (error) {
          return api.refuse(error, request);
        }
      };

    const pages: Record<string, Handler> = {
      '/openapi.json': api.page(() => JSON.stringify(openApiDocument()), 'application/json'),
      '/asyncapi.json': api.page(() => JSON.stringify(asyncApiDocument()), 'application/json'),
      '/docs': api.page(() => referencePage({ simulated }), 'text/html; charset=utf-8'),
      ...(await terminalPages(api)),
    };
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
          ...pages,
          ...Object.fromEntries(CHANNELS.map((channel) => [`/ws/${channel}`, upgrade(channel)])),
        },
        fetch: api.notFound,
        websocket: gateway.handler,
        error: (error) => api.refuse(error, new Request('http://localhost/')),
      }),
    );
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

    let second = 0;
    timers.every(CLOCK_MS, 'the clock', () => {
      const time = now();
      if (Math.floor(time / 1000) === second) return;
      second = Math.floor(time / 1000);
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
        await server.stop(true);
        await metricsServer?.stop(true);
        timers.stop();
        await recorder.flush();
        await keyring.save().catch((error) => log.error('usage could not be saved', { error }));
        await store.close();
        log.info('stopped');
      },
    };
  } catch (error) {
    timers.stop();
    await store.close();
    throw error;
  }
}

async function terminalPages(api: Api): Promise<Record<string, Handler>> {
  const assets = await bundleTerminal();
  return Object.fromEntries(
    [...assets].map(([path, { body, type }]) => [
      path,
      api.page(() => body, type, path === '/' ? 'no-cache' : 'public, max-age=31536000, immutable'),
    ]),
  );
}

function serveMetrics(config: Config, render: () => string, log: Log): Server<undefined> | null {
  if (config.metrics_port === 'off') return null;
  const serve = (port: number): Server<undefined> =>
    Bun.serve({
      port,
      hostname: config.host,
      routes: {
        '/metrics': () => new Response(render(), { headers: { 'Content-Type': 'text/plain; version=0.0.4' } }),
      },
      fetch: () => new Response('See /metrics\n', { status: 404 }),
    });
  if (config.metrics_port !== null) return listen(config.metrics_port, config.host, 'metrics_port', serve);
  try {
    return serve(METRICS_PORT);
  } catch {
    // Nobody asked for this very port: the service is worth more than its metrics.
    log.warn('metrics are off: their usual port is taken; TICKWIRE_METRICS_PORT sets another', { port: METRICS_PORT });
    return null;
  }
}

/** Opens a port, or says in one line why that cannot be. */
function listen<T>(port: number, host: string, setting: string, serve: (port: number) => T): T {
  try {
    return serve(port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const variable = `TICKWIRE_${setting.toUpperCase()}`;
    if (code === 'EADDRINUSE') {
      throw new ConfigError(`port ${port} on ${host} is in use by another program: set ${variable} to a free one`);
    }
    if (code === 'EACCES') throw new ConfigError(`port ${port} needs more rights: set ${variable} to one above 1023`);
    throw new ConfigError(`cannot listen on ${host}:${port}: ${message}`);
  }
}

function readTls({ tls_cert: certFile, tls_key: keyFile }: Config): { cert: string; key: string } | null {
  if (!certFile || !keyFile) return null;
  const read = (file: string, variable: string): string => {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw new ConfigError(`${variable}: ${(error as Error).message}`);
    }
  };
  return { cert: read(certFile, 'TICKWIRE_TLS_CERT'), key: read(keyFile, 'TICKWIRE_TLS_KEY') };
}
