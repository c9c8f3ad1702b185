// The failures that the cluster is subjected to, one after the other, and the recovery time of each: until every reader is connected
// and receives market data, a signal can be published through both gateway nodes, and both report that they are ready.
import { listGateways } from '../packages/server/src/cluster/presence.ts';
import type { ProofCluster } from './cluster.fixture.ts';
import type { ClusterNode } from './cluster-node.fixture.ts';
import type { ProofPublishers } from './publishers.fixture.ts';
import type { ProofReaders } from './readers.fixture.ts';

const TIMEOUT_MS = 30_000;
/** After this time, the state of the readers is newer than the failure. */
const SETTLE_MS = 500;
const POLL_MS = 200;

export interface Recovery {
  readonly trial: string;
  /** Milliseconds since the component was back, or since it was killed if another one replaced it. */
  readonly streams: number;
  /** Milliseconds until another ingest node held the lease; 0 if none had to. */
  readonly takeover: number;
  readonly publishing: number;
  readonly ready: number;
  /** Whether the journal started a new epoch. */
  readonly epoch: boolean;
  /** Failed checks of `/readyz` of the gateway nodes meanwhile, and whether one of them was not ready. */
  readonly failedChecks: readonly string[];
  readonly unready: boolean;
}

export interface OutageDurations {
  readonly downMs: number;
  readonly stallMs: number;
  readonly stopMs: number;
}

export class FailureTrials {
  readonly recoveries: Recovery[] = [];
  readonly #cluster: ProofCluster;
  readonly #readers: ProofReaders;
  readonly #publishers: ProofPublishers;
  readonly #times: OutageDurations;

  constructor(cluster: ProofCluster, readers: ProofReaders, publishers: ProofPublishers, times: OutageDurations) {
    this.#cluster = cluster;
    this.#readers = readers;
    this.#publishers = publishers;
    this.#times = times;
  }

  /** The standby takes over. */
  async killIngest(): Promise<void> {
    const active = await this.#active();
    await this.#trial(
      'active ingest killed',
      async () => {
        await active.kill();
      },
      { from: active },
    );
    active.start();
  }

  async killGateway(): Promise<void> {
    const [gateway] = this.#cluster.gateways;
    await this.#trial(
      'gateway killed',
      async () => {
        await gateway!.kill();
      },
      { remaining: [1] },
    );
    await this.#trial('gateway restarted', async () => {
      gateway!.start();
      await this.#cluster.until('the gateway responds', async () => (await gateway!.ready()) !== null, TIMEOUT_MS);
    });
  }

  async restartRedis(forgets: boolean): Promise<void> {
    const { redis } = this.#cluster;
    await this.#trial(forgets ? 'Redis restarted without its data' : 'Redis restarted', async () => {
      await (forgets ? redis.lose() : redis.kill());
      await Bun.sleep(this.#times.downMs);
      await redis.start();
    });
  }

  async restartPostgres(): Promise<void> {
    await this.#trial('PostgreSQL restarted', async () => {
      await this.#cluster.killPostgres();
      await Bun.sleep(this.#times.downMs);
      await this.#cluster.startPostgres();
    });
  }

  async stall(what: 'redis' | 'postgres'): Promise<void> {
    const links = this.#cluster.nodes.map((node) => node[what]);
    await this.#trial(`links to ${what === 'redis' ? 'Redis' : 'PostgreSQL'} stalled`, async () => {
      for (const link of links) link.stall();
      await Bun.sleep(this.#times.stallMs);
      for (const link of links) link.resume();
    });
  }

  /** Another ingest node takes over. The stopped one notices when it continues, and ends. */
  async stopIngest(): Promise<void> {
    const stopped = await this.#active();
    await this.#trial(
      'active ingest stopped',
      async () => {
        stopped.signal('SIGSTOP');
      },
      { from: stopped },
    );
    await Bun.sleep(this.#times.stopMs);
    await this.#trial('… and continued', async () => {
      stopped.signal('SIGCONT');
      const status = await Promise.race([stopped.exited(), Bun.sleep(TIMEOUT_MS)]);
      if (status !== 1) throw new Error(`the stopped ingest ended with ${status}`);
    });
    stopped.start();
  }

  /** Only the active ingest node is disconnected from Redis: another one takes over, and it ends. */
  async disconnectIngest(): Promise<void> {
    const disconnected = await this.#active();
    await this.#trial(
      'active ingest disconnected from Redis',
      async () => {
        disconnected.redis.stall();
      },
      { from: disconnected },
    );
    await this.#trial('… and reconnected', async () => {
      disconnected.redis.resume();
      const status = await Promise.race([disconnected.exited(), Bun.sleep(TIMEOUT_MS)]);
      if (status !== 1) throw new Error(`the disconnected ingest ended with ${status}`);
    });
    disconnected.start();
  }

  /** A gateway node returns after the journal has been trimmed: it notifies its readers of the gap. */
  async trimJournal(): Promise<void> {
    const [gateway] = this.#cluster.gateways;
    const { link, keys } = this.#cluster;
    await this.#trial('gateway behind the trimmed journal', async () => {
      gateway!.redis.stall();
      await Bun.sleep(this.#times.downMs);
      await link.send(['XTRIM', keys.journal, 'MAXLEN', '1']);
      await Bun.sleep(this.#times.downMs);
      gateway!.redis.resume();
    });
  }

  /** No process knows the end of the journal any more: a new epoch starts, and all readers are notified. */
  async loseRedisAndIngest(): Promise<void> {
    const active = await this.#active();
    const { redis } = this.#cluster;
    await this.#trial(
      'Redis and active ingest lost together',
      async () => {
        await Promise.all([active.kill(), redis.lose()]);
        await Bun.sleep(this.#times.downMs);
        await redis.start();
      },
      { from: active },
    );
    active.start();
  }

  /** Replaces one process after the other by the next release, beside processes of this release. */
  async upgrade(): Promise<void> {
    const cluster = this.#cluster;
    const [one, other] = cluster.gateways;
    await cluster.migrateToNext();
    const back = async (gateway: ClusterNode): Promise<void> => {
      await cluster.until('the gateway responds', async () => (await gateway.ready()) !== null, TIMEOUT_MS);
    };
    await this.#trial('gateway replaced by the next release', async () => {
      await other!.stop();
      other!.start(true);
      await back(other!);
    });
    await this.#trial('gateway of this release restarted', async () => {
      await one!.stop();
      one!.start();
      await back(one!);
    });
    const schemas = (await listGateways(cluster.link, cluster.keys)).map(({ schema }) => schema);
    if (new Set(schemas).size !== 2) throw new Error(`the gateways work with the schemas ${schemas}`);
    const active = await this.#active();
    const standby = cluster.ingests.find((ingest) => ingest !== active)!;
    await standby.stop();
    standby.start(true);
    await this.#active();
    await this.#trial('active ingest stopped gracefully', () => active.stop(), { from: active });
    active.start(true);
  }

  /** `from`: the ingest node that is replaced; `remaining`: indexes of the gateway nodes that run afterwards. */
  async #trial(
    trial: string,
    act: () => Promise<void>,
    {
      from = null,
      remaining = [0, 1],
    }: { readonly from?: ClusterNode | null; readonly remaining?: readonly number[] } = {},
  ): Promise<void> {
    const cluster = this.#cluster;
    const before = await cluster.epoch();
    const watch = new ReadinessWatch(cluster.gateways);
    await act();
    if (remaining.length > 1) this.#readers.returnHome();
    let began = Date.now();
    const since = performance.now();
    const took = async (what: string, isSo: () => boolean | Promise<boolean>): Promise<number> => {
      await cluster.until(`${what} after "${trial}" (${JSON.stringify(this.#readers.progress)})`, isSo, TIMEOUT_MS);
      return performance.now() - since;
    };
    const gateways = remaining.map((index) => cluster.gateways[index]!);
    const isReady = async (gateway: ClusterNode): Promise<boolean> => (await gateway.ready())?.body.status === 'ok';
    const publishes = async (): Promise<boolean> =>
      (await Promise.all(remaining.map((index) => this.#publishers.publishOnce(index)))).every(Boolean);
    const isTaken = async (): Promise<boolean> => from === null || ![from, null].includes(await cluster.active());
    const [takeover, streams, publishing, ready] = await Promise.all([
      took('another ingest is active', isTaken),
      took('the streams flow', async () => {
        // Data received before the takeover does not count.
        if (from && [from, null].includes(await cluster.serving())) began = Date.now();
        return this.#readers.isFlowing(began + SETTLE_MS);
      }),
      took('signals are published', publishes),
      took('gateways are ready', async () => (await Promise.all(gateways.map(isReady))).every(Boolean)),
    ]);
    const epoch = (await cluster.epoch()) !== before;
    const { failedChecks, unready } = await watch.stop();
    this.recoveries.push({ trial, streams, takeover, publishing, ready, epoch, failedChecks, unready });
    const shown = [streams, publishing, ready, takeover].map((ms) => `${(ms / 1000).toFixed(1)} s`);
    process.stderr.write(
      `  ${trial.padEnd(36)} streams ${shown[0]}, publishing ${shown[1]}, ready ${shown[2]}${from ? `, takeover ${shown[3]}` : ''}${epoch ? ', new epoch' : ''}${failedChecks.length > 0 ? `; failed checks: ${failedChecks.join(', ')}` : ''}\n`,
    );
  }

  async #active(): Promise<ClusterNode> {
    let active: ClusterNode | null = null;
    const { ingests } = this.#cluster;
    await this.#cluster.until(
      'one ingest is active and the other is on standby',
      async () => {
        active = await this.#cluster.active();
        const ready = await Promise.all(ingests.map(async (ingest) => (await ingest.ready())?.status === 200));
        return active !== null && ready.every(Boolean);
      },
      TIMEOUT_MS,
    );
    return active!;
  }
}

/** Polls the readiness of gateway nodes during a failure. */
class ReadinessWatch {
  readonly #failed = new Set<string>();
  #unready = false;
  #watching = true;
  readonly #loops: Promise<void>[];

  constructor(gateways: readonly ClusterNode[]) {
    this.#loops = gateways.map(async (gateway) => {
      while (this.#watching) {
        const response = await gateway.ready();
        for (const [part, state] of Object.entries(response?.body.checks ?? {}))
          if (state !== 'ok') this.#failed.add(part);
        if (response && response.status !== 200 && response.body.status !== 'stopping') this.#unready = true;
        await Bun.sleep(POLL_MS);
      }
    });
  }

  async stop(): Promise<{ failedChecks: string[]; unready: boolean }> {
    this.#watching = false;
    await Promise.all(this.#loops);
    return { failedChecks: [...this.#failed].sort(), unready: this.#unready };
  }
}
