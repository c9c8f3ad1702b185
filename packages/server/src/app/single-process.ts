// The whole service in one process: opens the store, authentication, the pipeline and the HTTP server, gives each what it
// needs, starts them, and stops them in order.

import type { Keyring } from '../access/keyring.ts';
import type { Config } from '../config/config.ts';
import { deliveryModule } from '../delivery/module.ts';
import { openDelivery } from '../delivery/open-delivery.ts';
import { readTls } from '../http/listen.ts';
import { Ports } from '../http/ports.ts';
import type { Journal } from '../journal/journal.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { Catalogue } from '../market/catalogue.ts';
import { type OpenFeeds, openFeeds as openConfiguredFeeds } from '../market/feeds/open-feeds.ts';
import { steadyNow, wholeNow } from '../ops/clock.ts';
import type { Log } from '../ops/log.ts';
import { Metrics } from '../ops/metrics.ts';
import { Timers } from '../ops/timers.ts';
import { openStore } from '../store/open-store.ts';
import { openAccess } from './access.ts';
import { type App, closeAfterFailure } from './app.ts';
import type { MarketChoice } from './market-choice.ts';
import { observeJournal, observeProcess } from './metrics.ts';
import { serveMetrics } from './metrics-server.ts';
import { drainModules, openDomains, stopModules } from './modules.ts';
import { nodeContext } from './node-context.ts';
import { PHASES, readersOf } from './phases.ts';
import { openPipeline } from './pipeline.ts';
import { openHttpServer } from './server.ts';

export interface SingleProcess extends App {
  readonly journal: Journal;
  readonly keyring: Keyring;
}

/** A replay passes its own `openFeeds`. Without `markets`, they cannot be changed. */
export async function startSingleProcess(
  config: Config,
  log: Log,
  openFeeds: OpenFeeds = openConfiguredFeeds,
  markets?: MarketChoice,
): Promise<SingleProcess> {
  const now = config.database_url === null ? steadyNow : wholeNow;
  const startedAt = now();
  const tls = readTls(config);
  const timers = new Timers(log);
  // What was opened so far; closed in reverse order if the start fails.
  const opened = new AsyncDisposableStack();
  opened.defer(() => timers.stop());
  const ports = new Ports(log);
  opened.defer(() => ports.stop());

  try {
    const store = await openStore(config, {
      role: 'service',
      exclusive: true,
      empty: config.realm === 'replay',
      // Only "tickwire serve" changes a schema.
      ...(config.realm !== 'replay' && {
        onMigrated: (file, from, to, copy) => log.info('schema migrated', { file, from, to, backup: copy }),
      }),
    });
    opened.defer(() => store.close());
    const catalogue = await Catalogue.open(config, store.market);
    const access = await openAccess({ config, store: store.access, tls: tls !== null, log, now });
    const journal = await MemoryJournal.open(
      {
        load: async () => (await store.market.number('seq_reserved')) ?? 1,
        save: (ceiling) => store.market.setNumber('seq_reserved', ceiling),
      },
      log,
    );
    const context = nodeContext({ config, catalogue, store, access, now, log, ...(markets && { markets }) });
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
    const pipeline = await openPipeline({ ...context, journal, openFeeds, delivery });
    opened.defer(() => pipeline.close());
    const domains = openDomains({ ...context, readModels: pipeline, pipeline, startedAt });
    for (const read of readersOf(domains.modules, PHASES)) journal.subscribe(read);
    const restored = await pipeline.restore();
    const httpServer = openHttpServer({ ...context, readModels: pipeline, domains, pipeline, tls, ports, startedAt });
    opened.defer(() => httpServer.stop());
    const modules = [...httpServer.modules, deliveryModule(delivery)];
    journal.subscribe(httpServer.gateway.read);
    const url = await httpServer.listen();
    const metrics = new Metrics();
    httpServer.metrics(metrics);
    for (const module of modules) module.metrics?.(metrics);
    observeJournal(metrics, journal);
    observeProcess(metrics, ports);
    const metricsServer = serveMetrics(config, ports, () => metrics.render(), log);
    opened.defer(() => metricsServer?.stop());
    httpServer.start(timers);
    for (const module of modules) module.start?.(timers);
    log.info('serving', {
      url: url.origin,
      simulated: config.realm === 'sim',
      instruments: catalogue.instruments.length,
      ticks_restored: restored?.ticks ?? 0,
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
        await stopModules(modules);
        await httpServer.stop();
        await metricsServer?.stop();
        ports.stop();
        await timers.stop();
        const stored = await drainModules(modules, log);
        await delivery.stop();
        await store.close();
        log.info('stopped');
        return stored;
      },
    };
  } catch (error) {
    await closeAfterFailure(opened, log);
    throw error;
  }
}
