// What is done to the cluster of the proof, one thing after the other, and how long each takes to be over: until every reader is
// connected and hears the market again, a signal can be published through both gateways, and both say that all is well.
import { listGateways } from '../packages/server/src/cluster/presence.ts';
import type { Member } from './member.fixture.ts';
import type { ProofCluster } from './proof-cluster.fixture.ts';
import type { ProofPublishers } from './proof-publishers.fixture.ts';
import type { ProofReaders } from './proof-readers.fixture.ts';

const PATIENCE_MS = 30_000;
/** What the readers then say is of after it. */
const HEARD_MS = 500;
const LOOK_MS = 200;

export interface Recovery {
  readonly trial: string;
  /** Milliseconds since the component was back, or since it was killed where another took its place. */
  readonly streams: number;
  /** Until another ingest had the lease; 0 where none was to take it. */
  readonly takeover: number;
  readonly publishing: number;
  readonly ready: number;
  /** Whether the journal began an epoch. */
  readonly epoch: boolean;
  /** What `/readyz` of the gateways complained of meanwhile, and whether one of them said that nobody should come. */
  readonly complaints: readonly string[];
  readonly unready: boolean;
}

export interface Times {
  readonly downMs: number;
  readonly stallMs: number;
  readonly stopMs: number;
}

export class Trials {
  readonly recoveries: Recovery[] = [];
  readonly #cluster: ProofCluster;
  readonly #readers: ProofReaders;
  readonly #publishers: ProofPublishers;
  readonly #times: Times;

  constructor(cluster: ProofCluster, readers: ProofReaders, publishers: ProofPublishers, times: Times) {
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
      { places: [1] },
    );
    await this.#trial('gateway started again', async () => {
      gateway!.start();
      await this.#cluster.until('it answers', async () => (await gateway!.ready()) !== null, PATIENCE_MS);
    });
  }

  async restartRedis(forgets: boolean): Promise<void> {
    const { redis } = this.#cluster;
    await this.#trial(forgets ? 'Redis restarted, nothing kept' : 'Redis restarted', async () => {
      await (forgets ? redis.lose() : redis.kill());
      await Bun.sleep(this.#times.downMs);
      await redis.start();
    });
  }

  async restartPostgres(): Promise<void> {
    await this.#trial('PostgreSQL restarted', async () => {
      await this.#cluster.losePostgres();
      await Bun.sleep(this.#times.downMs);
      await this.#cluster.bringPostgres();
    });
  }

  async stall(what: 'redis' | 'postgres'): Promise<void> {
    const links = this.#cluster.members.map((member) => member[what]);
    await this.#trial(`links to ${what === 'redis' ? 'Redis' : 'PostgreSQL'} stalled`, async () => {
      for (const link of links) link.stall();
      await Bun.sleep(this.#times.stallMs);
      for (const link of links) link.resume();
    });
  }

  /** Another takes over; when it goes on it finds out, and ends. */
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
    await this.#trial('… and let go on', async () => {
      stopped.signal('SIGCONT');
      const status = await Promise.race([stopped.exited(), Bun.sleep(PATIENCE_MS)]);
      if (status !== 1) throw new Error(`the ingest that was stopped ended with ${status}`);
    });
    stopped.start();
  }

  /** Only the active ingest is cut off from Redis: another takes over, and it ends. */
  async cutOffIngest(): Promise<void> {
    const cut = await this.#active();
    await this.#trial(
      'active ingest cut off from Redis',
      async () => {
        cut.redis.stall();
      },
      { from: cut },
    );
    await this.#trial('… and let back', async () => {
      cut.redis.resume();
      const status = await Promise.race([cut.exited(), Bun.sleep(PATIENCE_MS)]);
      if (status !== 1) throw new Error(`the ingest that was cut off ended with ${status}`);
    });
    cut.start();
  }

  /** A gateway comes back when the journal has gone on without it: it tells its readers what they miss. */
  async trimJournal(): Promise<void> {
    const [gateway] = this.#cluster.gateways;
    const { link, keys } = this.#cluster;
    await this.#trial('gateway out of the window', async () => {
      gateway!.redis.stall();
      await Bun.sleep(this.#times.downMs);
      await link.send(['XTRIM', keys.journal, 'MAXLEN', '1']);
      await Bun.sleep(this.#times.downMs);
      gateway!.redis.resume();
    });
  }

  /** Nobody is left who knows how far the journal had come: an epoch begins, and all readers are told. */
  async loseRedisAndIngest(): Promise<void> {
    const active = await this.#active();
    const { redis } = this.#cluster;
    await this.#trial(
      'Redis and active ingest lost at once',
      async () => {
        await Promise.all([active.kill(), redis.lose()]);
        await Bun.sleep(this.#times.downMs);
        await redis.start();
      },
      { from: active },
    );
    active.start();
  }

  /** One process after the other is replaced by one of the next release, beside those of this one. */
  async upgrade(): Promise<void> {
    const cluster = this.#cluster;
    const [one, other] = cluster.gateways;
    await cluster.migrateToNext();
    const back = async (gateway: Member): Promise<void> => {
      await cluster.until('it answers', async () => (await gateway.ready()) !== null, PATIENCE_MS);
    };
    await this.#trial('gateway replaced by the next release', async () => {
      await other!.stop();
      other!.start(true);
      await back(other!);
    });
    await this.#trial('gateway of this release started again', async () => {
      await one!.stop();
      one!.start();
      await back(one!);
    });
    const schemas = (await listGateways(cluster.link, cluster.keys)).map(({ schema }) => schema);
    if (new Set(schemas).size !== 2) throw new Error(`the gateways work with the schemas ${schemas}`);
    const active = await this.#active();
    const standing = cluster.ingests.find((ingest) => ingest !== active)!;
    await standing.stop();
    standing.start(true);
    await this.#active();
    await this.#trial('active ingest stopped in order', () => active.stop(), { from: active });
    active.start(true);
  }

  /** `from`: the ingest that another takes over from; `places`: the gateways that are there afterwards. */
  async #trial(
    trial: string,
    act: () => Promise<void>,
    { from = null, places = [0, 1] }: { readonly from?: Member | null; readonly places?: readonly number[] } = {},
  ): Promise<void> {
    const cluster = this.#cluster;
    const before = await cluster.epoch();
    const watch = new ReadinessWatch(cluster.gateways);
    await act();
    if (places.length > 1) this.#readers.goHome();
    let began = Date.now();
    const since = performance.now();
    const took = async (what: string, isSo: () => boolean | Promise<boolean>): Promise<number> => {
      await cluster.until(`${what} after "${trial}" (${JSON.stringify(this.#readers.progress)})`, isSo, PATIENCE_MS);
      return performance.now() - since;
    };
    const gateways = places.map((place) => cluster.gateways[place]!);
    const isReady = async (gateway: Member): Promise<boolean> => (await gateway.ready())?.body.status === 'ok';
    const publishes = async (): Promise<boolean> =>
      (await Promise.all(places.map((place) => this.#publishers.publishOnce(place)))).every(Boolean);
    const isTaken = async (): Promise<boolean> => from === null || ![from, null].includes(await cluster.active());
    const [takeover, streams, publishing, ready] = await Promise.all([
      took('another ingest is active', isTaken),
      took('the streams flow', async () => {
        // What was heard before another took over says nothing.
        if (from && [from, null].includes(await cluster.serving())) began = Date.now();
        return this.#readers.flowing(began + HEARD_MS);
      }),
      took('signals are published', publishes),
      took('gateways are ready', async () => (await Promise.all(gateways.map(isReady))).every(Boolean)),
    ]);
    const epoch = (await cluster.epoch()) !== before;
    const { complaints, unready } = await watch.stop();
    this.recoveries.push({ trial, streams, takeover, publishing, ready, epoch, complaints, unready });
    const shown = [streams, publishing, ready, takeover].map((ms) => `${(ms / 1000).toFixed(1)} s`);
    process.stderr.write(
      `  ${trial.padEnd(36)} streams ${shown[0]}, publishing ${shown[1]}, ready ${shown[2]}${from ? `, taken over ${shown[3]}` : ''}${epoch ? ', another epoch' : ''}${complaints.length > 0 ? `; said meanwhile: ${complaints.join(', ')}` : ''}\n`,
    );
  }

  async #active(): Promise<Member> {
    let active: Member | null = null;
    const standing = this.#cluster.ingests;
    await this.#cluster.until(
      'an ingest is active and another stands by',
      async () => {
        active = await this.#cluster.active();
        const ready = await Promise.all(standing.map(async (ingest) => (await ingest.ready())?.status === 200));
        return active !== null && ready.every(Boolean);
      },
      PATIENCE_MS,
    );
    return active!;
  }
}

/** Asks gateways how they are, for as long as something is done to them. */
class ReadinessWatch {
  readonly #found = new Set<string>();
  #unready = false;
  #watching = true;
  readonly #loops: Promise<void>[];

  constructor(gateways: readonly Member[]) {
    this.#loops = gateways.map(async (gateway) => {
      while (this.#watching) {
        const said = await gateway.ready();
        for (const [part, state] of Object.entries(said?.body.checks ?? {})) if (state !== 'ok') this.#found.add(part);
        if (said && said.status !== 200 && said.body.status !== 'stopping') this.#unready = true;
        await Bun.sleep(LOOK_MS);
      }
    });
  }

  async stop(): Promise<{ complaints: string[]; unready: boolean }> {
    this.#watching = false;
    await Promise.all(this.#loops);
    return { complaints: [...this.#found].sort(), unready: this.#unready };
  }
}
