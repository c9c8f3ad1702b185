// A gateway node of a cluster: REST, WebSocket and pages, answered from a replica that follows the journal. It holds nothing
// that another gateway could not rebuild from the store and the journal; requests that need the pipeline go to the active
// ingest node.

import { API_VERSION } from '@tickwire/contract';
import { trustedSources } from '@tickwire/engine';
import { Guard } from '../access/guard.ts';
import { SignInThrottle } from '../access/sign-in-throttle.ts';
import { ActiveIngestWatch } from '../cluster/active-ingest.ts';
import { type ClusterConnection, connectCluster } from '../cluster/cluster-connection.ts';
import { Deduplicator } from '../cluster/journal/deduplicator.ts';
import { RedisJournalReader, readStream } from '../cluster/journal/redis-journal-reader.ts';
import { parseIngestLink } from '../cluster/link/ingest-link.ts';
import { IngestProxy } from '../cluster/link/ingest-proxy.ts';
import { Presence } from '../cluster/presence.ts';
import { SharedAllowance } from '../cluster/shared-allowance.ts';
import { SharedAttempts } from '../cluster/shared-attempts.ts';
import { SharedDocuments } from '../cluster/shared-documents.ts';
import { SharedRows } from '../cluster/shared-rows.ts';
import { SharedSlots } from '../cluster/shared-slots.ts';
import type { Config } from '../config/config.ts';
import { requireDeliveryKey } from '../delivery/delivery-key-check.ts';
import { deliveryModule } from '../delivery/module.ts';
import { openDelivery } from '../delivery/open-delivery.ts';
import { hiddenSource } from '../documents/source.ts';
import { readTls } from '../http/listen.ts';
import { Ports } from '../http/ports.ts';
import type { Checks } from '../http/readiness.ts';
import { Catalogue } from '../market/catalogue.ts';
import { clockProblem } from '../market/restore.ts';
import { wholeNow } from '../ops/clock.ts';
import type { Log } from '../ops/log.ts';
import { Metrics } from '../ops/metrics.ts';
import { pauses, unlessAborted } from '../ops/pauses.ts';
import { Timers } from '../ops/timers.ts';
import { SESSION_KEPT_MS } from '../replay/replay-sessions.ts';
import { openStore } from '../store/open-store.ts';
import { STEPS, versionOf } from '../store/postgres/schema.ts';
import { readKey } from '../store/secret-box.ts';
import type { Gateway } from '../ws/gateway.ts';
import { openAccess } from './access.ts';
import { type App, closeAfterFailure } from './app.ts';
import { observeGateway, observeProcess } from './metrics.ts';
import { serveMetrics } from './metrics-server.ts';
import { drainModules, openDomains, stopModules } from './modules.ts';
import { nodeContext } from './node-context.ts';
import { PHASES, readersOf } from './phases.ts';
import { modelCheck, openModelsFor } from './pipeline.ts';
import type { ReadModels } from './read-models.ts';
import { Replica, type ReplicaOptions } from './replica.ts';
import { type HttpServer, openHttpServer } from './server.ts';
import { startStandbyServer } from './standby-server.ts';

/** A journal without new events for this long has no writer, or Redis cannot be reached. */
const STALE_MS = 5_000;
const FAR_BEHIND_EVENTS = 50_000;
const CATCH_UP_MS = 10_000;
const POLL_MS = 250;
/** Refusals repeat with each retry: one log line in this time. */
const REFUSAL_LOG_MS = 10_000;

export async function startGateway(config: Config, log: Log, stopping: AbortSignal): Promise<App> {
  const now = wholeNow;
  const startedAt = now();
  const tls = readTls(config);
  // A gateway must not create a key of its own: the others could not open its secrets.
  for (const key of [config.two_factor_key, config.delivery_key]) if (key !== null) readKey(key);
  const timers = new Timers(log);
  // What was opened so far; closed in reverse order if the start fails.
  const opened = new AsyncDisposableStack();
  opened.defer(() => timers.stop());
  const ports = new Ports(log);
  opened.defer(() => ports.stop());
  let server: HttpServer | null = null;

  try {
    const cluster = opened.adopt(await connectCluster(config, log), (it) => it.close());
    const { id, keys, link } = cluster;
    const store = opened.adopt(await openStore(config, { role: 'service' }), (it) => it.close());
    const catalogue = await Catalogue.open(config, store.market);
    const { instruments } = catalogue;
    const local = await openAccess({ config, store: store.access, tls: tls !== null, log, now, firstStart: false });
    const { keyring } = local;

    // Limits are counted across all gateways.
    const clients = (): number => server?.gateway.slots.total ?? 0;
    const presence = new Presence({
      link,
      keys,
      info: () => ({ id, clients: clients(), startedAt, version: API_VERSION, schema: versionOf(STEPS) }),
      log,
      onRevived: () => void slots.reportAll(),
    });
    opened.defer(() => presence.leave());
    const gateways = (): number => presence.count;
    const allowance = opened.adopt(new SharedAllowance({ link, keys, gateways, log, now }), (it) => it.stop());
    const slots = new SharedSlots({ link, keys, id, gateways, heartbeat: () => presence.heartbeat(), log });
    opened.defer(() => slots.stop());
    /** True as soon as Redis is lost, before the first request notices. */
    const countsLocally = (): boolean => allowance.degraded || slots.degraded || !link.connected;
    const access = { ...local, guard: new Guard({ ...local, shared: allowance }) };

    // The replica: the store, then the journal from where the store ends.
    const replica = await openReplica(
      {
        catalogue,
        store,
        access,
        isTrusted: trustedSources(config.trusted_sources ?? undefined),
        simulatedNews: config.news === 'sim',
        hiddenCalendar: hiddenSource(config.calendar),
        now,
      },
      config,
      ports,
      tls,
      stopping,
    );
    const journal = await RedisJournalReader.open({
      link: cluster.bytes,
      statusLink: link,
      keys,
      after: replica.seq,
      log,
      now,
      async onLost(from, to) {
        // The store has the missed events; clients are notified of the gap.
        const missed = await unlessAborted(stopping, () => replica.restore());
        const until = Math.max(replica.seq, to);
        server?.gateway.declareLoss(from - 1, until, await replica.lastSeqs(until + 1));
        // Signals are never lost: the log has them all.
        server?.gateway.read({ firstSeq: until, source: '', events: missed });
        return replica.seq;
      },
      onEpoch: () => server?.gateway.declareLoss(journal.lastSeq, journal.lastSeq),
    });
    opened.defer(() => journal.stop());
    const activeIngest = opened.adopt(await ActiveIngestWatch.open(link, keys), (it) => it.stop());
    let refusalLoggedAt = Number.NEGATIVE_INFINITY;
    const ingestProxy = new IngestProxy({
      active: () => activeIngest.current && parseIngestLink(activeIngest.current.address),
      now,
      onRefused(reason) {
        if (performance.now() < refusalLoggedAt + REFUSAL_LOG_MS) return;
        refusalLoggedAt = performance.now();
        log.warn('the ingest node refused a request of this gateway', { reason });
      },
    });
    const models = await openModelsFor(config, instruments, now, log);
    opened.defer(() => models.models.stop());
    const readModels: ReadModels = {
      journal,
      market: replica.market,
      signals: replica,
      news: { feed: replica.news },
      calendar: { feed: replica.calendar },
      models,
      checks() {
        const { connected, behind, ageMs } = journal.state();
        const current = behind < FAR_BEHIND_EVENTS && ageMs !== null && ageMs < STALE_MS;
        return {
          redis: link.connected && connected ? 'ok' : 'not connected: data is not updated',
          journal:
            ageMs === null ? 'no events received yet' : current ? 'ok' : `${behind} events behind, ${ageMs} ms old`,
          ingest: activeIngest.current ? 'ok' : 'no ingest node is active',
          database:
            (store.reachable?.() ?? true)
              ? (clockProblem(replica.storedUntil, now()) ?? 'ok')
              : 'not reachable: no history, no account changes',
          ...modelCheck(models),
          limits: countsLocally() ? `counted by this gateway alone, one of ${gateways()}` : 'ok',
        };
      },
    };
    const context = nodeContext({ config, catalogue, store, access, now, log });
    const domains = openDomains({
      ...context,
      readModels,
      pipeline: null,
      startedAt,
      rowCounter: new SharedRows({ link, keys, gateways }),
    });
    const httpServer = openHttpServer({
      ...context,
      readModels,
      domains,
      pipeline: null,
      ingestProxy,
      sharedSlots: slots,
      sessions: new SharedDocuments(link, keys, SESSION_KEPT_MS),
      throttle: new SignInThrottle(new SharedAttempts(link, keys)),
      clients: () => presence.clients,
      tls,
      ports,
      startedAt,
    });
    server = httpServer;
    opened.defer(() => httpServer.stop());
    await unlessAborted(stopping, () => restoreMessages(httpServer.gateway, replica, journal, cluster));

    // The readers get each batch in the same order as in a single process. None of them gets an event twice.
    const readers = [...readersOf(domains.modules, PHASES), httpServer.gateway.read];
    journal.subscribe((batch) => {
      const fresh = replica.deduplicate(batch);
      for (const read of readers) read(fresh);
    });
    if (config.delivery_key !== null) await requireDeliveryKey(store.market, config);
    journal.start();
    await presence.start();
    await catchUp(journal, stopping);
    const url = await httpServer.listen();

    const metrics = new Metrics();
    // Without the key it cannot read the addresses of destinations: the ingest node delivers then.
    const isDisabled = (account: string): boolean => keyring.account(account)?.disabled === true;
    const shared = { config, store: store.delivery, worker: id, prunes: false, isDisabled, now, log };
    const delivery = config.delivery_key === null ? null : openDelivery(shared);
    const modules = [...httpServer.modules, ...(delivery ? [deliveryModule(delivery)] : [])];
    httpServer.metrics(metrics);
    observeGateway(metrics, { journal, allowance, ingestProxy, gateways, countsLocally });
    observeProcess(metrics, ports);
    for (const module of modules) module.metrics?.(metrics);
    const metricsServer = serveMetrics(config, ports, () => metrics.render(), log);
    opened.defer(() => metricsServer?.stop());
    httpServer.start(timers);
    for (const module of modules) module.start?.(timers);
    log.info('serving', { url: url.origin, role: 'gateway', seq: journal.lastSeq, epoch: journal.epoch });

    return {
      url: url.origin,
      metricsUrl: metricsServer?.url.origin ?? null,
      demoKey: null,
      setupUrl: null,
      store,
      async stop() {
        httpServer.rejectNew();
        await httpServer.stop();
        await presence.leave();
        await delivery?.stop();
        await timers.stop();
        activeIngest.stop();
        allowance.stop();
        slots.stop();
        await journal.stop();
        await stopModules(modules);
        await metricsServer?.stop();
        ports.stop();
        const stored = await drainModules(modules, log);
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

/** Waits for the first ingest node of the cluster, if there was none yet. Meanwhile `/readyz` says so. */
async function openReplica(
  options: ReplicaOptions,
  config: Config,
  ports: Ports,
  tls: ReturnType<typeof readTls>,
  stopping: AbortSignal,
): Promise<Replica> {
  const { store } = options;
  if ((await store.signals.tail()) === undefined) {
    const checks = (): Checks => ({ ingest: 'no ingest node has been active yet' });
    const standby = startStandbyServer({
      config,
      ports,
      tls,
      checks,
      ready: () => false,
      stopping: () => stopping.aborted,
    });
    while ((await store.signals.tail().catch(() => undefined)) === undefined && !stopping.aborted)
      await Bun.sleep(POLL_MS);
    await standby.stop();
  }
  if (stopping.aborted) throw new Error('no ingest node has been active yet');
  return unlessAborted(stopping, () => Replica.open(options));
}

/** Gives the gateway the messages still in the stream, so that a client of another gateway can resume here. */
async function restoreMessages(
  gateway: Gateway,
  replica: Replica,
  journal: RedisJournalReader,
  { bytes, keys }: ClusterConnection,
): Promise<void> {
  const window = await journal.window();
  const first = window.first ?? replica.seq + 1;
  gateway.skipTo(first - 1, await replica.lastSeqs(first));
  // Skips all signals: those are replayed from the store.
  const deduplicator = new Deduplicator(Number.POSITIVE_INFINITY);
  const pause = pauses();
  for await (const batch of readStream(bytes, keys, first - 1)) {
    await pause();
    if (batch.firstSeq > replica.seq) break;
    const events = batch.events.slice(0, replica.seq + 1 - batch.firstSeq);
    gateway.read(deduplicator.filter({ ...batch, events }));
  }
}

/** Waits until the journal is read, for a limited time: a gateway that cannot keep up still serves, and `/readyz` says so. */
async function catchUp(journal: RedisJournalReader, stopping: AbortSignal): Promise<void> {
  const until = performance.now() + CATCH_UP_MS;
  const { last } = await journal.window();
  while (journal.lastSeq < (last ?? 0) && performance.now() < until) {
    await Bun.sleep(10);
    stopping.throwIfAborted();
  }
}
