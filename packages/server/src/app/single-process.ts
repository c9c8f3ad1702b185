// The whole service in one process: opens the store, authentication, the pipeline and the HTTP server, gives each what it
// needs, starts them, and stops them in order.

import type { Keyring } from '../access/keyring.ts';
import type { Config } from '../config/config.ts';
import { openDelivery } from '../delivery/open-delivery.ts';
import type { Journal, JournalReader } from '../journal/journal.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { type OpenFeeds, openFeeds as openConfiguredFeeds } from '../market/feeds/open-feeds.ts';
import { loadInstruments } from '../market/instruments.ts';
import { steadyNow, wholeNow } from '../ops/clock.ts';
import type { Log } from '../ops/log.ts';
import { Metrics } from '../ops/metrics.ts';
import { Timers } from '../ops/timers.ts';
import { openStore } from '../store/open-store.ts';
import { openAccess } from './access.ts';
import { type App, closeAfterFailure } from './app.ts';
import { readTls } from './listen.ts';
import {
  observeAlerts,
  observeDelivery,
  observeHttpServer,
  observeKeys,
  observePipeline,
  observeProcess,
} from './metrics.ts';
import { serveMetrics } from './metrics-server.ts';
import { openPipeline, type PipelineReaders } from './pipeline.ts';
import { type HttpServer, openHttpServer } from './server.ts';

export interface SingleProcess extends App {
  readonly journal: Journal;
  readonly keyring: Keyring;
}

/** A replay passes its own `openFeeds`. */
export async function startSingleProcess(
  config: Config,
  log: Log,
  openFeeds: OpenFeeds = openConfiguredFeeds,
): Promise<SingleProcess> {
  const now = config.database_url === null ? steadyNow : wholeNow;
  const startedAt = now();
  const instruments = loadInstruments(config);
  const tls = readTls(config);
  const timers = new Timers(log);
  // What was opened so far; closed in reverse order if the start fails.
  const opened = new AsyncDisposableStack();
  opened.defer(() => timers.stop());
  let server: HttpServer | null = null;

  // Each batch goes to the readers in this order:
  const readersOf = ({ market, recorder, signals, news, calendar, alerts }: PipelineReaders): JournalReader[] => [
    // 1. The numbers of signal messages, which the gateway sends.
    signals.events.read,
    // 2. Prices, which all readers below look up.
    market.read,
    // 3. The tape, before the signal service: the ticks that decide a signal are stored before the decision.
    recorder.read,
    // 4. Verdicts on signals.
    signals.service.read,
    // 5. Alerts. What fires is stored, and then enters the journal itself.
    alerts.judge.read,
    // 6. The lists that REST endpoints answer from.
    signals.feed.read,
    signals.trackRecords.read,
    news.feed.read,
    calendar.feed.read,
    // 7. WebSocket clients last: REST already has what they are sent. The server is opened later.
    (batch) => server?.gateway.read(batch),
  ];

  try {
    const store = await openStore(config, {
      role: 'service',
      exclusive: true,
      empty: config.realm === 'replay',
      onMigrated: (file, from, to, copy) => log.info('schema migrated', { file, from, to, backup: copy }),
    });
    opened.defer(() => store.close());
    const access = await openAccess({ config, store: store.access, tls: tls !== null, log, now });
    const journal = await MemoryJournal.open(
      {
        load: async () => (await store.market.number('seq_reserved')) ?? 1,
        save: (ceiling) => store.market.setNumber('seq_reserved', ceiling),
      },
      log,
    );
    const common = { config, instruments, store, access, now, log };
    const delivery = openDelivery({
      config,
      store: store.delivery,
      worker: 'alone',
      prunes: true,
      isDisabled: (account) => access.keyring.account(account)?.disabled === true,
      now,
      log,
    });
    opened.defer(() => delivery.stop());
    const pipeline = await openPipeline({ ...common, journal, readersOf, openFeeds, delivery });
    opened.defer(() => pipeline.stopIntake());
    const httpServer = openHttpServer({ ...common, readModels: pipeline, pipeline, tls, startedAt });
    server = httpServer;
    opened.defer(() => httpServer.stop());
    const url = await httpServer.listen();
    const metrics = new Metrics();
    observeHttpServer(metrics, httpServer);
    observePipeline(metrics, pipeline, now);
    observeAlerts(metrics, pipeline.alerts);
    observeDelivery(metrics, delivery);
    observeKeys(metrics, access.keyring);
    observeProcess(metrics);
    const metricsServer = serveMetrics(config, () => metrics.render(), log);
    opened.defer(() => metricsServer?.stop(true));
    httpServer.start(timers);
    pipeline.start(timers);
    delivery.start(timers);
    log.info('serving', {
      url: url.origin,
      simulated: config.realm === 'sim',
      instruments: instruments.length,
      ticks_restored: pipeline.restored?.ticks ?? 0,
    });
    const { setupToken } = access;
    return {
      url: url.origin,
      metricsUrl: metricsServer?.url.origin ?? null,
      demoKey: access.demoKey,
      setupUrl: setupToken && new URL(`/setup?token=${setupToken}`, config.public_url ?? url).href,
      store,
      journal,
      keyring: access.keyring,
      async stop() {
        httpServer.rejectNew();
        await pipeline.stopIntake();
        await httpServer.stop();
        await metricsServer?.stop(true);
        await timers.stop();
        await pipeline.drain();
        await delivery.stop();
        await httpServer.saveUsage().catch((error) => log.error('usage could not be saved', { error }));
        await store.close();
        log.info('stopped');
      },
    };
  } catch (error) {
    await closeAfterFailure(opened, log);
    throw error;
  }
}
