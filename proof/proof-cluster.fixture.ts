// The cluster of the proof: a PostgreSQL and a Redis of its own, two ingests, two gateways, readers in a process of their own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount, issueKey } from '../packages/server/src/access/issue-key.ts';
import { ActiveIngestWatch } from '../packages/server/src/cluster/active-ingest.ts';
import { CLUSTER_SCRIPTS } from '../packages/server/src/cluster/cluster-scripts.ts';
import { redisKeys } from '../packages/server/src/cluster/redis-keys.ts';
import { RedisLink } from '../packages/server/src/cluster/redis-link.ts';
import { silentLog } from '../packages/server/src/ops/log.ts';
import { readAddress } from '../packages/server/src/store/postgres/address.ts';
import { Database } from '../packages/server/src/store/postgres/database.ts';
import { migrate } from '../packages/server/src/store/postgres/migrate.ts';
import { openPostgresAccess } from '../packages/server/src/store/postgres/open.ts';
import { type TestDatabase, testDatabase } from '../packages/server/src/store/postgres/place.fixture.ts';
import { ACCESS_SCHEMA, STEPS } from '../packages/server/src/store/postgres/schema.ts';
import { OwnRedis } from '../packages/server/src/testing/redis-server.fixture.ts';
import { type LogLine, Member } from './member.fixture.ts';
import { NEXT_STEP } from './next-release.fixture.ts';
import { OwnPostgres } from './own-postgres.fixture.ts';

const NAME = 'proof';
/** Quotes a second over all instruments: enough that every reader hears something each half second. */
const SIM_RATE = 60;
/** Of the tier `analyst`. */
export const AI_CALLS = 5;
/** Those of the service are hammered from both sides; these must not be the limit. */
const TIERS = {
  crowd: { requests_per_minute: 50_000, streams: 50_000, ai_calls_per_day: 0 },
  analyst: { requests_per_minute: 50_000, streams: 1, ai_calls_per_day: AI_CALLS },
};

export interface ProofClusterOptions {
  readonly redisCommand: string;
  /** Where databases can be made, if no PostgreSQL of its own can be started. */
  readonly server: string;
}

export class ProofCluster {
  readonly ingests: readonly Member[];
  readonly gateways: readonly Member[];
  readonly redis: OwnRedis;
  readonly database: TestDatabase;
  readonly keys = redisKeys(`${NAME}:sim`);
  /** Of the harness itself, past the proxies. */
  readonly link: RedisLink;
  readonly folder: string;
  readonly #postgres: OwnPostgres | null;

  private constructor(
    folder: string,
    postgres: OwnPostgres | null,
    database: TestDatabase,
    redis: OwnRedis,
    link: RedisLink,
    members: readonly Member[],
  ) {
    this.folder = folder;
    this.#postgres = postgres;
    this.database = database;
    this.redis = redis;
    this.link = link;
    this.ingests = members.slice(0, 2);
    this.gateways = members.slice(2);
  }

  static async start({ redisCommand, server }: ProofClusterOptions): Promise<ProofCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'tickwire-proof-'));
    const config = join(folder, 'proof.json');
    writeFileSync(config, JSON.stringify({ tiers: TIERS }));
    const [postgres, redis] = await Promise.all([OwnPostgres.start(), OwnRedis.start(redisCommand, true)]);
    const database = await testDatabase(postgres?.url ?? server);
    const settings = {
      config,
      cluster_name: NAME,
      log_key: join(folder, 'log-key.pem'),
      sim_rate: String(SIM_RATE),
      max_active_signals: '100000',
      failed_keys_per_minute: '100000',
      max_connections: '100000',
      max_connections_per_address: '100000',
    };
    const members: Member[] = [];
    for (const name of ['ingest-1', 'ingest-2', 'gateway-1', 'gateway-2'])
      members.push(
        await Member.make({
          name,
          role: name.startsWith('ingest') ? 'ingest' : 'gateway',
          database: database.url,
          redis: redis.url,
          settings,
        }),
      );
    const link = await RedisLink.open({ url: redis.url, name: 'proof', log: silentLog, scripts: CLUSTER_SCRIPTS });
    const cluster = new ProofCluster(folder, postgres, database, redis, link, members);
    const [first, second] = cluster.ingests;
    // A gateway may be there first.
    cluster.gateways[0]!.start();
    first!.start();
    await cluster.until('the first ingest is active', async () => (await cluster.serving()) === first, 30_000);
    second!.start();
    cluster.gateways[1]!.start();
    for (const gateway of cluster.gateways)
      await cluster.until(
        `${gateway.name} is ready`,
        async () => (await gateway.ready())?.body.status === 'ok',
        30_000,
      );
    return cluster;
  }

  /** The ingest that has the lease. */
  async active(): Promise<Member | null> {
    const watch = await ActiveIngestWatch.open(this.link, this.keys);
    watch.stop();
    const port = watch.current && Number(new URL(watch.current.address).port);
    return this.ingests.find((ingest) => ingest.port === port) ?? null;
  }

  /** The ingest that has the lease, once it has opened everything. */
  async serving(): Promise<Member | null> {
    const active = await this.active();
    return (await active?.ready())?.body.checks.store === undefined ? null : active;
  }

  async epoch(): Promise<string> {
    return String(await this.link.send(['HGET', this.keys.journalEnd, 'epoch']));
  }

  async key(tier: string, scopes: readonly string[]): Promise<string> {
    const { access, close } = await openPostgresAccess(this.database.url);
    try {
      const by = { store: access, actor: 'proof', now: Date.now() };
      const account = await createAccount(by, 'proof', tier, true);
      return (await issueKey(by, { name: 'proof', scopes, expiresAt: null, account })).key;
    } finally {
      await close();
    }
  }

  /** Revokes a key; milliseconds until no gateway takes it any more. */
  async revoked(key: string): Promise<number> {
    const { access, close } = await openPostgresAccess(this.database.url);
    try {
      const [, id] = /^tw_([^_]+)_/.exec(key)!;
      await access.revokeKey(id!, Date.now());
      return await this.until(
        'the key is revoked everywhere',
        async () => {
          const answers = this.gateways.map(({ url }) =>
            fetch(`${url}/api/symbols`, { headers: { 'X-API-Key': key } }),
          );
          return (await Promise.all(answers)).every(({ status }) => status === 401);
        },
        10_000,
      );
    } finally {
      await close();
    }
  }

  /** Takes the tables to the schema of the next release, while everything runs. */
  async migrateToNext(): Promise<void> {
    const database = new Database({
      address: readAddress(this.database.url),
      searchPath: [ACCESS_SCHEMA],
      connections: 1,
    });
    await migrate(database, [...STEPS, NEXT_STEP]).finally(() => database.close());
  }

  /** PostgreSQL is gone at once and stays away; where it is not the test's own, nobody reaches it. */
  async losePostgres(): Promise<void> {
    if (this.#postgres) return this.#postgres.kill();
    for (const { postgres } of this.members) {
      postgres.refuse(true);
      postgres.cut();
    }
    await this.database.ask(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  }

  async bringPostgres(): Promise<void> {
    if (this.#postgres) return this.#postgres.start();
    for (const { postgres } of this.members) postgres.refuse(false);
  }

  get members(): readonly Member[] {
    return [...this.ingests, ...this.gateways];
  }

  errors(): { readonly member: string; readonly line: LogLine }[] {
    return this.members.flatMap((member) =>
      member.log.filter(({ level }) => level === 'error').map((line) => ({ member: member.name, line })),
    );
  }

  async until(what: string, isSo: () => Promise<boolean> | boolean, withinMs: number): Promise<number> {
    const began = performance.now();
    for (;;) {
      if (await Promise.resolve(isSo()).catch(() => false)) return performance.now() - began;
      if (performance.now() - began > withinMs) {
        const said = this.members.map(({ name, log }) => `${name}: ${JSON.stringify(log.slice(-5))}`).join('\n');
        throw new Error(`not within ${withinMs / 1000} s: ${what}\n${said}`);
      }
      await Bun.sleep(25);
    }
  }

  async end(): Promise<void> {
    const kept = process.env.TICKWIRE_TEST_CLUSTER_LOGS;
    if (kept) for (const { name, said } of this.members) writeFileSync(join(kept, `${name}.log`), said);
    await Promise.all(this.members.map((member) => member.end()));
    this.link.close();
    await this.database.dispose().catch(() => {});
    await Promise.all([this.redis.end(), this.#postgres?.end()]);
    for (const folder of [this.folder, ...this.members.map(({ data }) => data)])
      rmSync(folder, { recursive: true, force: true });
  }
}
