// The cluster under test: its own PostgreSQL and Redis, two ingest nodes and two gateway nodes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount, issueKey } from '../packages/server/src/access/issue-key.ts';
import { ActiveIngestWatch } from '../packages/server/src/cluster/active-ingest.ts';
import { CLUSTER_SCRIPTS } from '../packages/server/src/cluster/cluster-scripts.ts';
import { parseIngestLink } from '../packages/server/src/cluster/link/ingest-link.ts';
import { redisKeys } from '../packages/server/src/cluster/redis-keys.ts';
import { RedisLink } from '../packages/server/src/cluster/redis-link.ts';
import { parsePostgresAddress } from '../packages/server/src/config/postgres-address.ts';
import { silentLog } from '../packages/server/src/ops/log.ts';
import { openLogKey } from '../packages/server/src/signals/log-key.ts';
import { PostgresDatabase } from '../packages/server/src/store/postgres/database.ts';
import { migrateSchema } from '../packages/server/src/store/postgres/migrate.ts';
import { openPostgresAccessStore } from '../packages/server/src/store/postgres/open-postgres-store.ts';
import { ACCESS_SCHEMA_NAME, STEPS } from '../packages/server/src/store/postgres/schema.ts';
import { OwnRedis } from '../packages/server/testing/redis-server.fixture.ts';
import type { Settings } from '../packages/server/testing/service.fixture.ts';
import { type TestDatabase, testDatabase } from '../packages/server/testing/store/postgres-database.fixture.ts';
import { ClusterNode, type NodeLogLine } from './cluster-node.fixture.ts';
import { NEXT_STEP } from './next-release.fixture.ts';
import { PostgresServer } from './postgres-server.fixture.ts';

const NAME = 'proof';
/** Quotes per second of all instruments: enough that every reader receives a message each half second. */
const SIM_RATE = 60;
/** AI calls per day of the tier `analyst`. */
export const AI_CALLS = 5;
/** Tiers whose limits do not apply in the test, unlike those of the built-in tiers. */
const UNLIMITED_SIGNALS = { signals_per_day: 1_000_000, active_signals_per_symbol: 100_000 };
const TIERS = {
  load: { requests_per_minute: 50_000, streams: 50_000, ai_calls_per_day: 0, ...UNLIMITED_SIGNALS },
  analyst: { requests_per_minute: 50_000, streams: 1, ai_calls_per_day: AI_CALLS, ...UNLIMITED_SIGNALS },
};

export interface ProofClusterOptions {
  readonly redisCommand: string;
  /** How far the clock of a node is ahead of that of the test, in ms, by name. Default 0. */
  readonly skewMs?: Readonly<Record<string, number>>;
  /** Settings of single nodes, by name. */
  readonly settings?: Readonly<Record<string, Settings>>;
  /** URL of a PostgreSQL to use if the test cannot start its own, or need not. */
  readonly server: string;
  /** Whether the test starts its own PostgreSQL, which it can kill. Default `true`. */
  readonly ownPostgres?: boolean;
}

export class ProofCluster {
  readonly ingests: readonly ClusterNode[];
  readonly gateways: readonly ClusterNode[];
  readonly redis: OwnRedis;
  readonly database: TestDatabase;
  readonly keys = redisKeys(`${NAME}:sim`);
  /** Direct connection of the test, not through a proxy. */
  readonly link: RedisLink;
  readonly folder: string;
  readonly #postgres: PostgresServer | null;

  private constructor(
    folder: string,
    postgres: PostgresServer | null,
    database: TestDatabase,
    redis: OwnRedis,
    link: RedisLink,
    nodes: readonly ClusterNode[],
  ) {
    this.folder = folder;
    this.#postgres = postgres;
    this.database = database;
    this.redis = redis;
    this.link = link;
    this.ingests = nodes.slice(0, 2);
    this.gateways = nodes.slice(2);
  }

  /** Starts PostgreSQL and Redis, both empty, but no node. */
  static async create(options: ProofClusterOptions): Promise<ProofCluster> {
    const { redisCommand, server, ownPostgres = true } = options;
    const folder = mkdtempSync(join(tmpdir(), 'tickwire-proof-'));
    const config = join(folder, 'proof.json');
    writeFileSync(config, JSON.stringify({ tiers: TIERS }));
    const [postgres, redis] = await Promise.all([
      ownPostgres ? PostgresServer.start() : null,
      OwnRedis.start(redisCommand, true),
    ]);
    const database = await testDatabase(postgres?.url ?? server);
    openLogKey(join(folder, 'log-key.pem'));
    const settings = {
      config,
      cluster_name: NAME,
      log_key: join(folder, 'log-key.pem'),
      sim_rate: String(SIM_RATE),
      // Filling it computes for half a minute, in each ingest node of an empty store.
      sim_calibration_days: '0',
      max_active_signals: '100000',
      failed_keys_per_minute: '100000',
      max_connections: '100000',
      max_connections_per_address: '100000',
      anonymous_requests_per_minute: '1000000',
    };
    const nodes: ClusterNode[] = [];
    for (const name of ['ingest-1', 'ingest-2', 'gateway-1', 'gateway-2'])
      nodes.push(
        await ClusterNode.create({
          name,
          role: name.startsWith('ingest') ? 'ingest' : 'gateway',
          database: database.url,
          redis: redis.url,
          settings: { ...settings, ...options.settings?.[name] },
          skewMs: options.skewMs?.[name] ?? 0,
        }),
      );
    const link = await RedisLink.open({ url: redis.url, name: 'proof', log: silentLog, scripts: CLUSTER_SCRIPTS });
    return new ProofCluster(folder, postgres, database, redis, link, nodes);
  }

  static async start(options: ProofClusterOptions): Promise<ProofCluster> {
    const cluster = await ProofCluster.create(options);
    try {
      await cluster.#startNodes();
    } catch (error) {
      await cluster.end();
      throw error;
    }
    return cluster;
  }

  async #startNodes(): Promise<void> {
    const [first, second] = this.ingests;
    // A gateway node may start before the ingest node.
    this.gateways[0]!.start();
    first!.start();
    await this.until('the first ingest is active', async () => (await this.serving()) === first, 30_000);
    second!.start();
    this.gateways[1]!.start();
    for (const gateway of this.gateways)
      await this.until(`${gateway.name} is ready`, async () => (await gateway.ready())?.body.status === 'ok', 30_000);
  }

  node(name: string): ClusterNode {
    return this.nodes.find((node) => node.name === name)!;
  }

  /** The ingest node that holds the lease. */
  async active(): Promise<ClusterNode | null> {
    const watch = await ActiveIngestWatch.open(this.link, this.keys);
    watch.stop();
    const link = watch.current && parseIngestLink(watch.current.address);
    const port = link && Number(new URL(link.url).port);
    return this.ingests.find(({ linkPort }) => linkPort === port) ?? null;
  }

  /** The ingest node that holds the lease, once it is fully started. */
  async serving(): Promise<ClusterNode | null> {
    const active = await this.active();
    return (await active?.ready())?.body.checks.store === undefined ? null : active;
  }

  async epoch(): Promise<string> {
    return String(await this.link.send(['HGET', this.keys.journalEnd, 'epoch']));
  }

  async key(tier: string, scopes: readonly string[]): Promise<string> {
    const { access, close } = await openPostgresAccessStore(this.database.url);
    try {
      const by = { store: access, actor: 'proof', now: Date.now() };
      const account = await createAccount(by, 'proof', tier, true);
      return (await issueKey(by, { name: 'proof', scopes, expiresAt: null, account })).key;
    } finally {
      await close();
    }
  }

  /** Revokes a key; returns the milliseconds until all gateway nodes reject it. */
  async revoke(key: string): Promise<number> {
    const { access, close } = await openPostgresAccessStore(this.database.url);
    try {
      const [, id] = /^tw_([^_]+)_/.exec(key)!;
      await access.revokeKey(id!, Date.now());
      return await this.until(
        'the key is revoked everywhere',
        async () => {
          const responses = this.gateways.map(({ url }) =>
            fetch(`${url}/api/symbols`, { headers: { 'X-API-Key': key } }),
          );
          return (await Promise.all(responses)).every(({ status }) => status === 401);
        },
        10_000,
      );
    } finally {
      await close();
    }
  }

  /** Migrates the tables to the schema of the next release, while everything is running. */
  async migrateToNext(): Promise<void> {
    const database = new PostgresDatabase({
      address: parsePostgresAddress(this.database.url),
      searchPath: [ACCESS_SCHEMA_NAME],
      connections: 1,
    });
    await migrateSchema(database, [...STEPS, NEXT_STEP]).finally(() => database.close());
  }

  /** Kills PostgreSQL; if it is not the test's own, makes it unreachable. */
  async killPostgres(): Promise<void> {
    if (this.#postgres) return this.#postgres.kill();
    for (const { postgres } of this.nodes) {
      postgres.refuse(true);
      postgres.cut();
    }
    await this.database.ask(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  }

  async startPostgres(): Promise<void> {
    if (this.#postgres) return this.#postgres.start();
    for (const { postgres } of this.nodes) postgres.refuse(false);
  }

  get nodes(): readonly ClusterNode[] {
    return [...this.ingests, ...this.gateways];
  }

  errors(): { readonly node: string; readonly line: NodeLogLine }[] {
    return this.nodes.flatMap((node) =>
      node.log.filter(({ level }) => level === 'error').map((line) => ({ node: node.name, line })),
    );
  }

  async until(what: string, isSo: () => Promise<boolean> | boolean, withinMs: number): Promise<number> {
    const began = performance.now();
    for (;;) {
      if (await Promise.resolve(isSo()).catch(() => false)) return performance.now() - began;
      if (performance.now() - began > withinMs) {
        const logs = this.nodes.map(({ name, log }) => `${name}: ${JSON.stringify(log.slice(-5))}`).join('\n');
        throw new Error(`not within ${withinMs / 1000} s: ${what}\n${logs}`);
      }
      await Bun.sleep(25);
    }
  }

  async end(): Promise<void> {
    const kept = process.env.TICKWIRE_TEST_CLUSTER_LOGS;
    if (kept) for (const { name, output } of this.nodes) writeFileSync(join(kept, `${name}.log`), output);
    await Promise.all(this.nodes.map((node) => node.end()));
    this.link.close();
    await this.database.dispose().catch(() => {});
    await Promise.all([this.redis.end(), this.#postgres?.end()]);
    for (const folder of [this.folder, ...this.nodes.map(({ data }) => data)])
      rmSync(folder, { recursive: true, force: true });
  }
}
