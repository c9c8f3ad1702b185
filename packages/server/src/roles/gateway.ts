// A gateway of a cluster: REST, WebSocket and the pages, from views that follow the journal. It keeps nothing that another
// could not build from the store and the journal; what only the floor can do is asked of the active ingest.
import { API_VERSION } from '@tickwire/contract';
import type { App } from '../app.ts';
import { ActiveIngestWatch } from '../cluster/active-ingest.ts';
import { PassOn } from '../cluster/pass-on.ts';
import { Presence } from '../cluster/presence.ts';
import { SharedAllowance } from '../cluster/shared-allowance.ts';
import { SharedSlots } from '../cluster/shared-slots.ts';
import { ToldOnce } from '../cluster/told-once.ts';
import type { Config } from '../config.ts';
import { Guard } from '../http/guard.ts';
import { loadInstruments } from '../instruments.ts';
import { readWindow } from '../journal/read-window.ts';
import { RedisJournalReader } from '../journal/redis-journal-reader.ts';
import { wholeNow } from '../ops/clock.ts';
import { readTls, serveMetrics } from '../ops/listen.ts';
import type { Log } from '../ops/log.ts';
import { Metrics } from '../ops/metrics.ts';
import { observeFront, observeKeys, observeProcess } from '../ops/observe.ts';
import { Timers } from '../ops/timers.ts';
import { openStore } from '../store/open.ts';
import { STEPS } from '../store/postgres/schema.ts';
import { openAccess } from './access.ts';
import { openCluster } from './cluster.ts';
import { openModelsFor } from './floor.ts';
import { type Front, openFront } from './front.ts';
import type { Scene } from './scene.ts';
import { standBy } from './stand-by.ts';
import { Views, type ViewsOptions } from './views.ts';

/** A journal older than this has no writer, or is not reached. */
const STALE_MS = 5_000;
const FAR_BEHIND = 50_000;
const CATCH_UP_MS = 10_000;
const AGAIN_MS = 250;

export async function startGateway(config: Config, log: Log, stopping: AbortSignal): Promise<App> {
  const now = wholeNow;
  const startedAt = now();
  const instruments = loadInstruments(config);
  const tls = readTls(config);
  const timers = new Timers(log);
  const cluster = await openCluster(config, log);
  const { id, keys, link } = cluster;
  const store = await openStore(config, { role: 'service' });
  const opened = await openAccess({ config, store: store.access, tls: tls !== null, log, now, founds: false });
  const { keyring, failures, addressOf, originOf } = opened;

  // Counted over all gateways.
  const clients = (): number => front?.gateway.slots.total ?? 0;
  let front: Front | null = null;
  const presence = new Presence({
    link,
    keys,
    facts: () => ({ id, clients: clients(), startedAt, version: API_VERSION, schema: STEPS.length }),
    log,
    onRevived: () => void slots.sayAll(),
  });
  const gateways = (): number => presence.count;
  const allowance = new SharedAllowance({ link, keys, gateways, log, now });
  const slots = new SharedSlots({ link, keys, id, gateways, beat: () => presence.beat(), log });
  /** Told at once, before the first request that finds no Redis. */
  const countsAlone = (): boolean => allowance.degraded || slots.degraded || !link.connected;
  const access = { ...opened, guard: new Guard({ keyring, failures, addressOf, originOf, shared: allowance }) };

  // What is shown: the store, then the journal from where the store ends.
  const views = await openViews(
    { instruments, store, access: opened, invented: config.news === 'sim' },
    config,
    tls,
    stopping,
  ).catch(async (error) => {
    allowance.stop();
    slots.stop();
    await store.close();
    cluster.close();
    throw error;
  });
  const journal = await RedisJournalReader.open({
    link: cluster.bytes,
    look: link,
    keys,
    after: views.seq,
    log,
    now,
    async onLost(from, to) {
      // What was missed is in the store; readers are told what they missed.
      const missed = await views.restore();
      const until = Math.max(views.seq, to);
      front?.gateway.lose(from - 1, until, await views.lastSeqs(until + 1));
      // Signals are never lost: the log has them all.
      front?.gateway.read({ firstSeq: until, source: '', events: missed });
      return views.seq;
    },
    onEpoch: () => front?.gateway.lose(journal.lastSeq, journal.lastSeq),
  });
  const active = await ActiveIngestWatch.open(link, keys);
  const passOn = new PassOn({ active: () => active.current?.address ?? null });
  const models = await openModelsFor(config, instruments, now, log);
  const scene: Scene = {
    journal,
    market: views.market,
    signals: views,
    news: { feed: views.news },
    models,
    checks() {
      const { connected, behind, ageMs } = journal.state();
      return {
        redis: link.connected && connected ? 'ok' : 'away: what is shown stands still',
        journal:
          ageMs === null
            ? 'nothing has come yet'
            : behind < FAR_BEHIND && ageMs < STALE_MS
              ? 'ok'
              : `${behind} events behind, ${ageMs} ms old`,
        ingest: active.current ? 'ok' : 'none is active',
        database: (store.reachable?.() ?? true) ? 'ok' : 'away: history and accounts cannot be read',
        limits: countsAlone() ? `counted here alone, one of ${gateways()}` : 'ok',
      };
    },
  };
  front = openFront({
    config,
    instruments,
    store,
    access,
    scene,
    floor: null,
    elsewhere: passOn,
    sharedSlots: slots,
    clients: () => presence.clients,
    tls,
    startedAt,
    now,
    log,
  });
  const { gateway } = front;
  // Whoever comes from another gateway goes on from what the journal still has.
  const window = await journal.window();
  const first = window.first ?? views.seq + 1;
  gateway.switchboard.begin(await views.lastSeqs(first), first - 1);
  gateway.news.lose(first - 1);
  // Signals are remembered by the store.
  const told = new ToldOnce(Number.POSITIVE_INFINITY);
  for await (const batch of readWindow(cluster.bytes, keys, first - 1)) {
    if (batch.firstSeq > views.seq) break;
    const { length } = batch.events.slice(0, views.seq + 1 - batch.firstSeq);
    gateway.read(told.pass({ ...batch, events: batch.events.slice(0, length) }));
  }
  journal.subscribe((batch) => gateway.read(views.read(batch)));
  journal.start();
  await presence.start();
  await caughtUp(journal);
  const url = front.listen();

  const metrics = new Metrics();
  observeFront(metrics, front);
  observeKeys(metrics, keyring);
  observeProcess(metrics);
  metrics.gauge('tickwire_journal_seq', 'Newest sequence number', () => journal.lastSeq);
  metrics.gauge('tickwire_journal_behind', 'Events of the journal not read yet', () => journal.state().behind);
  metrics.gauge(
    'tickwire_journal_delay_seconds',
    'Age of the newest event when it was read',
    () => (journal.state().delayMs ?? 0) / 1000,
  );
  metrics.gauge('tickwire_gateways', 'Gateways that live', gateways);
  metrics.gauge('tickwire_limits_degraded', '1 while allowances are counted by this gateway alone', () =>
    Number(countsAlone()),
  );
  metrics.counter('tickwire_limits_alone_total', 'Requests decided without Redis', () => allowance.decidedAlone);
  metrics.counter('tickwire_passed_on_total', 'Requests passed on to the ingest', () => passOn.passed);
  metrics.counter('tickwire_passed_on_again_total', 'Times one had to be asked again', () => passOn.repeated);
  const metricsServer = serveMetrics(config, () => metrics.render(), log);
  front.start(timers);
  log.info('serving', { url: url.origin, role: 'gateway', seq: journal.lastSeq, epoch: journal.epoch });

  return {
    url: url.origin,
    metricsUrl: metricsServer?.url.origin ?? null,
    demoKey: null,
    setupUrl: null,
    store,
    async stop() {
      front.shut();
      await front.stop();
      await presence.leave();
      timers.stop();
      active.stop();
      allowance.stop();
      slots.stop();
      await journal.stop();
      await models.models.stop();
      await metricsServer?.stop(true);
      await front.settle().catch((error) => log.error('usage could not be saved', { error }));
      await store.close();
      cluster.close();
      log.info('stopped');
    },
  };
}

/** The first gateway of a cluster may be there before its first ingest: it answers that it waits. */
async function openViews(
  options: ViewsOptions,
  config: Config,
  tls: ReturnType<typeof readTls>,
  stopping: AbortSignal,
): Promise<Views> {
  const { store } = options;
  if ((await store.signals.tail()) === undefined) {
    const checks = { ingest: 'none has ever been active' };
    const room = standBy({ config, tls, checks, ready: false, stopping: () => stopping.aborted });
    while ((await store.signals.tail().catch(() => undefined)) === undefined && !stopping.aborted)
      await Bun.sleep(AGAIN_MS);
    await room.stop(true);
  }
  if (stopping.aborted) throw new Error('no ingest had begun yet');
  return Views.open(options);
}

/** What is shown first is not long past; a gateway that cannot keep up serves all the same, and says so. */
async function caughtUp(journal: RedisJournalReader): Promise<void> {
  const until = performance.now() + CATCH_UP_MS;
  const { last } = await journal.window();
  while (journal.lastSeq < (last ?? 0) && performance.now() < until) await Bun.sleep(10);
}
