// The whole service in one process: the store, who may call, the floor where the markets happen, and the front that callers
// reach; made, handed what they need, started and stopped in order. `roles/` has the parts.

import type { Keyring } from './access/keyring.ts';
import type { Config } from './config.ts';
import { type OpenFeeds, openFeeds as openConfigured } from './feeds/open.ts';
import { loadInstruments } from './instruments.ts';
import type { Journal } from './journal/journal.ts';
import { MemoryJournal } from './journal/memory-journal.ts';
import { steadyNow, wholeNow } from './ops/clock.ts';
import { readTls, serveMetrics } from './ops/listen.ts';
import type { Log } from './ops/log.ts';
import { Metrics } from './ops/metrics.ts';
import { observeFloor, observeFront, observeKeys, observeProcess } from './ops/observe.ts';
import { Timers } from './ops/timers.ts';
import { openAccess } from './roles/access.ts';
import { type Floor, openFloor } from './roles/floor.ts';
import { openFront } from './roles/front.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';

export interface App {
  readonly url: string;
  readonly metricsUrl: string | null;
  /** Made on the first start, never told again. */
  readonly demoKey: string | null;
  /** Makes the owner's account, once; null where there is one. */
  readonly setupUrl: string | null;
  readonly store: Store;
  /** What a first start of a cluster made, once this ingest is the active one. */
  readonly founded?: Promise<Founded>;
  /** Resolves where it cannot go on, as when another ingest has taken over. */
  readonly ended?: Promise<Error>;
  stop(): Promise<void>;
}

/** Shown once; null where a start before had made it. */
export interface Founded {
  readonly demoKey: string | null;
  readonly setupToken: string | null;
}

/** Everything in one process. */
export interface WholeApp extends App {
  readonly journal: Journal;
  readonly keyring: Keyring;
}

/** The part that the configuration names. */
export async function startRole(config: Config, log: Log, stopping: AbortSignal): Promise<App | WholeApp> {
  if (config.role === 'all') return startApp(config, log);
  // What a process does not do it does not load.
  if (config.role === 'ingest') return (await import('./roles/ingest.ts')).startIngest(config, log, openConfigured);
  return (await import('./roles/gateway.ts')).startGateway(config, log, stopping);
}

/** `openFeeds` may be another than the configuration's, as for a replay. */
export async function startApp(config: Config, log: Log, openFeeds: OpenFeeds = openConfigured): Promise<WholeApp> {
  const now = config.database_url === null ? steadyNow : wholeNow;
  const startedAt = now();
  const instruments = loadInstruments(config);
  const tls = readTls(config);
  const timers = new Timers(log);
  const open: { stop(): Promise<void> }[] = [];
  const store = await openStore(config, {
    role: 'service',
    exclusive: true,
    empty: config.realm === 'replay',
    onMigrated: (file, from, to, copy) => log.info('schema migrated', { file, from, to, backup: copy }),
  });
  try {
    const access = await openAccess({ config, store: store.access, tls: tls !== null, log, now });
    const journal = await MemoryJournal.open(
      {
        load: async () => (await store.market.number('seq_reserved')) ?? 1,
        save: (ceiling) => store.market.setNumber('seq_reserved', ceiling),
      },
      log,
    );
    const floor: Floor = await openFloor({ config, instruments, store, journal, access, openFeeds, now, log });
    open.push({ stop: () => floor.quiet() });
    const front = openFront({ config, instruments, store, access, scene: floor, floor, tls, startedAt, now, log });
    journal.subscribe(front.gateway.read);
    const url = front.listen();
    open.push(front);
    const metrics = new Metrics();
    observeFront(metrics, front);
    observeFloor(metrics, floor, now);
    observeKeys(metrics, access.keyring);
    observeProcess(metrics);
    const metricsServer = serveMetrics(config, () => metrics.render(), log);
    if (metricsServer) open.push({ stop: () => metricsServer.stop(true) });
    front.start(timers);
    floor.start(timers);
    log.info('serving', {
      url: url.origin,
      simulated: config.realm === 'sim',
      instruments: instruments.length,
      ticks_restored: floor.restored?.ticks ?? 0,
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
        front.shut();
        for (const each of open) await each.stop();
        timers.stop();
        await floor.settle();
        await front.settle().catch((error) => log.error('usage could not be saved', { error }));
        await store.close();
        log.info('stopped');
      },
    };
  } catch (error) {
    timers.stop();
    for (const each of open) await each.stop();
    await store.close();
    throw error;
  }
}
