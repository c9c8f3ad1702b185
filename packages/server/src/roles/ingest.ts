// An ingest of a cluster: the floor, for gateways to show. One is active, by its lease; others stand by, and take up where it
// ended. Its port is for gateways alone.
import { randomBytes } from 'node:crypto';
import type { App, Founded } from '../app.ts';
import { Lease } from '../cluster/lease.ts';
import { InnerGuard } from '../cluster/passed-caller.ts';
import type { Config } from '../config.ts';
import type { OpenFeeds } from '../feeds/open.ts';
import { loadInstruments } from '../instruments.ts';
import { PublishedBatches } from '../journal/published-batches.ts';
import { RedisJournal } from '../journal/redis-journal.ts';
import { wholeNow } from '../ops/clock.ts';
import { serveMetrics } from '../ops/listen.ts';
import type { Log } from '../ops/log.ts';
import { Metrics } from '../ops/metrics.ts';
import { observeFloor, observeFront, observeProcess } from '../ops/observe.ts';
import { Timers } from '../ops/timers.ts';
import { openStore } from '../store/open.ts';
import { FencedError, type Store } from '../store/store.ts';
import { openAccess } from './access.ts';
import { openCluster } from './cluster.ts';
import { completeTape } from './complete-tape.ts';
import { type Floor, openFloor } from './floor.ts';
import { type Front, openFront } from './front.ts';
import { standBy } from './stand-by.ts';
import { tellAgain } from './tell-again.ts';

const FENCE_MS = 1_000;

/** What there is once the lease is ours. */
interface Active {
  readonly journal: RedisJournal;
  readonly published: PublishedBatches;
  readonly floor: Floor;
  readonly front: Front;
}

export async function startIngest(config: Config, log: Log, openFeeds: OpenFeeds): Promise<App> {
  const now = wholeNow;
  const startedAt = now();
  const instruments = loadInstruments(config);
  const timers = new Timers(log);
  const metrics = new Metrics();
  const ended = Promise.withResolvers<Error>();
  const founded = Promise.withResolvers<Founded>();
  const secret = randomBytes(24).toString('hex');
  let active: Active | null = null;
  let stopping = false;
  const cluster = await openCluster(config, log);
  const store = await openStore(config, { role: 'service' });
  const checks = { ingest: 'standing by' };
  const server = standBy({ config, tls: null, checks, ready: true, stopping: () => stopping });
  const lease = new Lease({
    ...cluster,
    address: advertised(config, server.url, secret),
    minimumToken: async () => (await store.market.number('writer_token')) ?? 0,
    log,
    // Whatever this process still holds is another's to go on with.
    onLost: () => ended.resolve(new Error('another ingest is active')),
  });
  observeProcess(metrics);
  metrics.gauge('tickwire_ingest_active', '1 while this ingest is the active one', () => (lease.held() ? 1 : 0));
  const metricsServer = serveMetrics(config, () => metrics.render(), log);

  const activate = async (): Promise<Active> => {
    await store.fence?.(lease.token);
    const access = await openAccess({ config, store: store.access, tls: false, log, now });
    founded.resolve(access);
    const { link, bytes, keys } = cluster;
    const recordedSeq = await completeTape({ link: bytes, keys, store: store.market, instruments, log });
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
      onLost: (why) => ended.resolve(new Error(why)),
    });
    const published = new PublishedBatches(journal, log);
    const floor = await openFloor({
      config,
      instruments,
      store,
      journal,
      record: (reader) => published.subscribe(reader),
      published: () => published.settled(),
      access,
      openFeeds,
      now,
      log,
    });
    await tellAgain({ store, journal, nameOf: access.nameOf, now });
    const { keyring, failures, addressOf } = access;
    const guard = new InnerGuard({
      keyring,
      failures,
      addressOf,
      originOf: () => '',
      secret,
      accountOf: (publicId) => keyring.account(publicId),
    });
    const front = openFront({
      config,
      instruments,
      store,
      access: { ...access, guard },
      scene: floor,
      floor,
      inner: true,
      tls: null,
      startedAt,
      now,
      log,
    });
    front.listen(server);
    observeFloor(metrics, floor, now);
    observeFront(metrics, front);
    metrics.gauge('tickwire_journal_unpublished', 'Events that Redis does not have yet', () => journal.unpublished);
    metrics.counter('tickwire_journal_lost_total', 'Events that never came to Redis', () => journal.lostEvents);
    front.start(timers);
    floor.start(timers);
    timers.every(FENCE_MS, 'looking whether this ingest may write', () =>
      keepFence(store, lease, floor, ended.resolve),
    );
    log.info('serving gateways', { url: server.url.origin, ticks_restored: floor.restored?.ticks ?? 0 });
    return { journal, published, floor, front };
  };

  log.info('standing by', { url: server.url.origin, realm: config.realm });
  const activated = lease
    .acquire()
    .then(async (mine) => {
      if (mine) active = await activate();
    })
    .catch((error) => ended.resolve(error as Error));

  return {
    url: server.url.origin,
    metricsUrl: metricsServer?.url.origin ?? null,
    demoKey: null,
    setupUrl: null,
    store,
    founded: founded.promise,
    ended: ended.promise,
    async stop() {
      stopping = true;
      lease.stop();
      // What is being opened is not left half open.
      await activated;
      if (active) await close(active, lease);
      if (cluster.link.connected) await lease.release();
      timers.stop();
      await server.stop(true);
      await metricsServer?.stop(true);
      await store.close();
      cluster.close();
      log.info('stopped');
    },
  };
}

/** Everything that happened is published and stored before another may go on; nothing is where one has gone on already. */
async function close({ floor, front, journal, published }: Active, lease: Lease): Promise<void> {
  if (lease.lost) journal.stop();
  front.shut();
  await floor.quiet();
  if (!lease.lost) {
    await published.settled().catch(() => {});
    await floor.settle();
    await journal.close();
  }
  published.stop();
  await front.stop();
}

/** The lease is taken anew after an outage of Redis, and has a higher token then: the store must know of it too. */
async function keepFence(
  store: Store,
  lease: Lease,
  { recorder, signals }: Floor,
  end: (why: Error) => void,
): Promise<void> {
  const refused = [recorder.failure, signals.ledger.failure].find((failure) => failure instanceof FencedError);
  if (refused) return end(refused);
  // Where the store is away, the recorder says so.
  if (lease.held()) await store.fence?.(lease.token).catch((error) => error instanceof FencedError && end(error));
}

/** With the secret by which gateways show that they have read the lease. */
function advertised({ advertise }: Config, url: URL, secret: string): string {
  const address = new URL(advertise ?? url.origin);
  address.username = 'gateway';
  address.password = secret;
  return address.href;
}
