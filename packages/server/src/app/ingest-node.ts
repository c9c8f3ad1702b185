// An ingest node of a cluster: the pipeline, for gateways to serve. One ingest node holds the lease and is active; others are on
// standby and take over where it ended. Its port serves health checks; gateways use the link port (link-server.ts).

import { connectCluster } from '../cluster/cluster-connection.ts';
import { PublishedBatches } from '../cluster/journal/published-batches.ts';
import { RedisJournal } from '../cluster/journal/redis-journal.ts';
import { Lease } from '../cluster/lease.ts';
import { InternalGuard } from '../cluster/link/internal-guard.ts';
import { startLinkServer } from '../cluster/link/link-server.ts';
import type { Config } from '../config/config.ts';
import { deliveryModule } from '../delivery/module.ts';
import { type Delivery, openDelivery } from '../delivery/open-delivery.ts';
import { FencedError, StoreError } from '../errors/store-error.ts';
import { Ports } from '../http/ports.ts';
import { Catalogue } from '../market/catalogue.ts';
import type { OpenFeeds } from '../market/feeds/open-feeds.ts';
import { loadInstruments, withAdded } from '../market/instruments.ts';
import type { Module } from '../module/module.ts';
import { wholeNow } from '../ops/clock.ts';
import type { Log } from '../ops/log.ts';
import { Metrics } from '../ops/metrics.ts';
import { Timers } from '../ops/timers.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { openAccess } from './access.ts';
import { type App, closeAfterFailure, type FirstStartCredentials } from './app.ts';
import { observeIngest, observeProcess } from './metrics.ts';
import { serveMetrics } from './metrics-server.ts';
import { drainModules, openDomains, stopModules } from './modules.ts';
import { nodeContext } from './node-context.ts';
import { INGEST_PHASES, readersOf } from './phases.ts';
import { openPipeline, type Pipeline } from './pipeline.ts';
import { recoverTape } from './recover-tape.ts';
import { republishTail } from './republish-tail.ts';
import { type HttpServer, openHttpServer } from './server.ts';
import { STANDING_BY, startStandbyServer } from './standby-server.ts';
import { TakeoverCheck } from './takeover-check.ts';

const FENCE_MS = 1_000;

/** The parts of an active ingest node. Some are missing if the activation failed. */
interface ActiveParts {
  journal?: RedisJournal;
  published?: PublishedBatches;
  modules?: readonly Module[];
  httpServer?: HttpServer;
  delivery?: Delivery;
}

export async function startIngest(config: Config, log: Log, openFeeds: OpenFeeds): Promise<App> {
  const now = wholeNow;
  const startedAt = now();
  // A standby with a faulty file is refused at once.
  loadInstruments(await withAdded(config));
  const timers = new Timers(log);
  const metrics = new Metrics();
  const failure = Promise.withResolvers<Error>();
  const firstStart = Promise.withResolvers<FirstStartCredentials>();
  const active: ActiveParts = {};
  let stopping = false;
  // What was opened so far; closed in reverse order if the start fails.
  const opened = new AsyncDisposableStack();
  const ports = new Ports(log);
  opened.defer(() => ports.stop());

  try {
    const cluster = opened.adopt(await connectCluster(config, log), (it) => it.close());
    const store = opened.adopt(await openStore(config, { role: 'service' }), (it) => it.close());
    const takeover = opened.adopt(new TakeoverCheck(config, store, log), (it) => it.stop());
    await takeover.start();
    // Started with a wrong key or schema: the operator sees why.
    if (!takeover.passed) throw new StoreError(Object.values(takeover.problems).join('; '));
    const standby = startStandbyServer({
      config,
      ports,
      tls: null,
      checks: () => ({ ingest: STANDING_BY, ...takeover.problems }),
      ready: () => takeover.passed,
      stopping: () => stopping,
    });
    opened.defer(() => standby.stop());
    const linkServer = opened.adopt(startLinkServer(config, ports, now), (it) => it.stop());
    const lease = new Lease({
      ...cluster,
      address: linkServer.announcement,
      minimumToken: async () => (await store.market.number('writer_token')) ?? 0,
      mayAcquire: () => takeover.passed,
      log,
      // Another ingest node continues from here: this one must stop.
      onLost: () => failure.resolve(new Error('another ingest node is active')),
    });
    observeProcess(metrics, ports);
    metrics.gauge('tickwire_ingest_active', '1 while this ingest node is active', () => (lease.held() ? 1 : 0));
    const metricsServer = serveMetrics(config, ports, () => metrics.render(), log);

    const activate = async (): Promise<void> => {
      takeover.stop();
      await store.fence?.(lease.token);
      const catalogue = await Catalogue.open(config, store.market);
      const { instruments } = catalogue;
      const access = await openAccess({ config, store: store.access, tls: false, log, now });
      firstStart.resolve(access);
      const { link, bytes, keys } = cluster;
      const recordedSeq = await recoverTape({ link: bytes, keys, store: store.market, instruments, log });
      const journal = await RedisJournal.open({
        link,
        keys,
        lease,
        reserve: {
          load: async () => (await store.market.number('seq_reserved')) ?? 1,
          save: (ceiling) => store.market.setNumber('seq_reserved', ceiling),
        },
        recordedSeq,
        log,
        onLost: (reason) => failure.resolve(new Error(reason)),
      });
      active.journal = journal;
      const published = new PublishedBatches(journal, log);
      active.published = published;
      const guard = new InternalGuard({
        ...access,
        originOf: () => '',
        accountOf: (publicId) => access.keyring.account(publicId),
      });
      const context = nodeContext({ config, catalogue, store, access: { ...access, guard }, now, log });
      const delivery = openDelivery({
        config,
        store: store.delivery,
        worker: cluster.id,
        prunes: true,
        isDisabled: (account) => access.keyring.account(account)?.disabled === true,
        now,
        log,
      });
      active.delivery = delivery;
      const pipeline = await openPipeline({
        ...context,
        journal,
        published: () => published.flush(),
        openFeeds,
        delivery,
      });
      const domains = openDomains({ ...context, readModels: pipeline, pipeline, startedAt });
      active.modules = domains.modules;
      // The recorder gets a batch only once Redis has it.
      const tape = readersOf(domains.modules, ['tape']).map((read) => published.delay(read));
      for (const read of [...tape, ...readersOf(domains.modules, INGEST_PHASES)]) journal.subscribe(read);
      const restored = await pipeline.restore().catch(async (error) => {
        await pipeline.close();
        throw error;
      });
      await republishTail({ store, catalogue, journal, nameOf: access.nameOf, now });
      const httpServer = openHttpServer({
        ...context,
        readModels: pipeline,
        domains,
        pipeline,
        internal: true,
        tls: null,
        ports,
        startedAt,
      });
      active.httpServer = httpServer;
      const modules = [...httpServer.modules, deliveryModule(delivery)];
      active.modules = modules;
      await httpServer.listen(standby);
      linkServer.serve(httpServer.api);
      httpServer.metrics(metrics);
      observeIngest(metrics, journal);
      for (const module of modules) module.metrics?.(metrics);
      httpServer.start(timers);
      for (const module of modules) module.start?.(timers);
      timers.every(FENCE_MS, 'renewing the write permission', () =>
        renewFence(store, lease, pipeline, failure.resolve),
      );
      log.info('serving gateways', { url: standby.url.origin, ticks_restored: restored?.ticks ?? 0 });
    };

    log.info('on standby', { url: standby.url.origin, realm: config.realm });
    const activated = lease
      .acquire()
      .then((acquired) => (acquired ? activate() : undefined))
      .catch((error) => failure.resolve(error as Error));

    return {
      url: standby.url.origin,
      metricsUrl: metricsServer?.url.origin ?? null,
      demoKey: null,
      setupUrl: null,
      store,
      firstStart: firstStart.promise,
      failure: failure.promise,
      async stop() {
        stopping = true;
        takeover.stop();
        lease.stop();
        // An activation that is under way ends first.
        await activated;
        const stored = await deactivate(active, lease, log);
        if (cluster.link.connected) await lease.release();
        // After the release: another node delivers what is left meanwhile.
        await active.delivery?.stop();
        await timers.stop();
        await linkServer.stop();
        await standby.stop();
        await metricsServer?.stop();
        ports.stop();
        await store.close();
        cluster.close();
        log.info('stopped');
        return stored;
      },
    };
  } catch (error) {
    await closeAfterFailure(opened, log);
    throw error;
  }
}

/** Publishes and stores everything before another ingest node may continue; nothing if one has taken over already. */
async function deactivate(
  { journal, published, modules = [], httpServer }: ActiveParts,
  lease: Lease,
  log: Log,
): Promise<boolean> {
  let stored = true;
  if (lease.lost) journal?.stop();
  httpServer?.rejectNew();
  await stopModules(modules);
  if (!lease.lost) {
    await published?.flush().catch(() => {});
    stored = await drainModules(modules, log);
    await journal?.close();
  }
  published?.stop();
  await httpServer?.stop();
  return stored;
}

/** After an outage of Redis the lease is acquired again with a higher token, which the store must know too. */
async function renewFence(
  store: Store,
  lease: Lease,
  { recorder, signals, alerts }: Pipeline,
  fail: (reason: Error) => void,
): Promise<void> {
  const refused = [recorder.failure, signals.ledger.failure, alerts.writer.failure].find(
    (error) => error instanceof FencedError,
  );
  if (refused) return fail(refused);
  // The recorder reports a store that cannot be reached.
  if (lease.held()) await store.fence?.(lease.token).catch((error) => error instanceof FencedError && fail(error));
}
