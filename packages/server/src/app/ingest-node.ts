// An ingest node of a cluster: the pipeline, for gateways to serve. One ingest node holds the lease and is active; others are on
// standby and take over where it ended. Its port serves health checks; gateways use the link port (link-server.ts).
import { PublishedBatches } from '../cluster/journal/published-batches.ts';
import { RedisJournal } from '../cluster/journal/redis-journal.ts';
import { Lease } from '../cluster/lease.ts';
import type { Config } from '../config/config.ts';
import { type Delivery, openDelivery } from '../delivery/open-delivery.ts';
import { FencedError, StoreError } from '../errors/store-error.ts';
import { InternalGuard } from '../http/internal-guard.ts';
import type { JournalReader } from '../journal/journal.ts';
import type { OpenFeeds } from '../market/feeds/open-feeds.ts';
import { loadInstruments } from '../market/instruments.ts';
import { wholeNow } from '../ops/clock.ts';
import type { Log } from '../ops/log.ts';
import { Metrics } from '../ops/metrics.ts';
import { Timers } from '../ops/timers.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { openAccess } from './access.ts';
import { type App, closeAfterFailure, type FirstStartCredentials } from './app.ts';
import { connectCluster } from './cluster-connection.ts';
import { startLinkServer } from './link-server.ts';
import {
  observeAlerts,
  observeDelivery,
  observeHttpServer,
  observeIngest,
  observePipeline,
  observeProcess,
} from './metrics.ts';
import { serveMetrics } from './metrics-server.ts';
import { openPipeline, type Pipeline, type PipelineReaders } from './pipeline.ts';
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
  pipeline?: Pipeline;
  httpServer?: HttpServer;
  delivery?: Delivery;
}

export async function startIngest(config: Config, log: Log, openFeeds: OpenFeeds): Promise<App> {
  const now = wholeNow;
  const startedAt = now();
  const instruments = loadInstruments(config);
  const timers = new Timers(log);
  const metrics = new Metrics();
  const failure = Promise.withResolvers<Error>();
  const firstStart = Promise.withResolvers<FirstStartCredentials>();
  const active: ActiveParts = {};
  let stopping = false;
  // What was opened so far; closed in reverse order if the start fails.
  const opened = new AsyncDisposableStack();

  try {
    const cluster = opened.adopt(await connectCluster(config, log), (it) => it.close());
    const store = opened.adopt(await openStore(config, { role: 'service' }), (it) => it.close());
    const takeover = opened.adopt(new TakeoverCheck(config, store, log), (it) => it.stop());
    await takeover.start();
    // Started with a wrong key or schema: the operator sees why.
    if (!takeover.passed) throw new StoreError(Object.values(takeover.problems).join('; '));
    const standby = startStandbyServer({
      config,
      tls: null,
      checks: () => ({ ingest: STANDING_BY, ...takeover.problems }),
      ready: () => takeover.passed,
      stopping: () => stopping,
    });
    opened.defer(() => standby.stop(true));
    const linkServer = opened.adopt(startLinkServer(config, now), (it) => it.stop());
    const lease = new Lease({
      ...cluster,
      address: linkServer.announcement,
      minimumToken: async () => (await store.market.number('writer_token')) ?? 0,
      mayAcquire: () => takeover.passed,
      log,
      // Another ingest node continues from here: this one must stop.
      onLost: () => failure.resolve(new Error('another ingest node is active')),
    });
    observeProcess(metrics);
    metrics.gauge('tickwire_ingest_active', '1 while this ingest node is active', () => (lease.held() ? 1 : 0));
    const metricsServer = serveMetrics(config, () => metrics.render(), log);

    const activate = async (): Promise<void> => {
      takeover.stop();
      await store.fence?.(lease.token);
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
      // Each batch goes to the readers in the same order as in a single process, with two exceptions: the recorder gets it only
      // once Redis has it, and clients get it from the gateways.
      const readersOf = ({ market, recorder, signals, news, calendar, alerts }: PipelineReaders): JournalReader[] => [
        published.delay(recorder.read),
        signals.events.read,
        market.read,
        signals.service.read,
        alerts.judge.read,
        signals.feed.read,
        signals.trackRecords.read,
        news.feed.read,
        calendar.feed.read,
      ];
      const common = { config, instruments, store, now, log };
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
        ...common,
        access,
        journal,
        readersOf,
        published: () => published.flush(),
        openFeeds,
        delivery,
      });
      active.pipeline = pipeline;
      await republishTail({ store, journal, nameOf: access.nameOf, now });
      const guard = new InternalGuard({
        ...access,
        originOf: () => '',
        accountOf: (publicId) => access.keyring.account(publicId),
      });
      const httpServer = openHttpServer({
        ...common,
        access: { ...access, guard },
        readModels: pipeline,
        pipeline,
        internal: true,
        tls: null,
        startedAt,
      });
      active.httpServer = httpServer;
      await httpServer.listen(standby);
      linkServer.serve(httpServer.api);
      observePipeline(metrics, pipeline, now);
      observeHttpServer(metrics, httpServer);
      observeIngest(metrics, journal);
      observeAlerts(metrics, pipeline.alerts);
      observeDelivery(metrics, delivery);
      httpServer.start(timers);
      pipeline.start(timers);
      delivery.start(timers);
      timers.every(FENCE_MS, 'renewing the write permission', () =>
        renewFence(store, lease, pipeline, failure.resolve),
      );
      log.info('serving gateways', { url: standby.url.origin, ticks_restored: pipeline.restored?.ticks ?? 0 });
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
        await deactivate(active, lease);
        if (cluster.link.connected) await lease.release();
        // After the release: another node delivers what is left meanwhile.
        await active.delivery?.stop();
        await timers.stop();
        await linkServer.stop();
        await standby.stop(true);
        await metricsServer?.stop(true);
        await store.close();
        cluster.close();
        log.info('stopped');
      },
    };
  } catch (error) {
    await closeAfterFailure(opened, log);
    throw error;
  }
}

/** Publishes and stores everything before another ingest node may continue; nothing if one has taken over already. */
async function deactivate({ journal, published, pipeline, httpServer }: ActiveParts, lease: Lease): Promise<void> {
  if (lease.lost) journal?.stop();
  httpServer?.rejectNew();
  await pipeline?.stopIntake();
  if (!lease.lost) {
    await published?.flush().catch(() => {});
    await pipeline?.drain();
    await journal?.close();
  }
  published?.stop();
  await httpServer?.stop();
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
