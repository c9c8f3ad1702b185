// A cluster under test: an ingest and a gateway node as `tickwire serve` runs them, with a dedicated Redis and a dedicated database
// in the available PostgreSQL.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueKey } from '../../packages/server/src/access/issue-key.ts';
import { openPostgresAccessStore } from '../../packages/server/src/store/postgres/open-postgres-store.ts';
import { postgresForTests } from '../../packages/server/testing/external-services.fixture.ts';
import { OwnRedis, redisCommand } from '../../packages/server/testing/redis-server.fixture.ts';
import { testDatabase } from '../../packages/server/testing/store/postgres-database.fixture.ts';
import type { Children, ServerChild } from './children.ts';
import type { Cores } from './cores.ts';
import { BENCH_TIER, MAIN, NO_LIMITS, SAME_PRICES } from './tickwire.ts';

const READY_MS = 30_000;

export interface ClusterOptions {
  readonly folder: string;
  readonly simRate: number;
  /** Modules preloaded into the ingest node, and their settings. */
  readonly preload: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface RunningCluster {
  readonly ingest: ServerChild;
  readonly gateway: ServerChild;
  readonly redisPid: number;
  readonly key: string;
  stop(): Promise<void>;
}

export async function startCluster(
  children: Children,
  cores: Cores,
  { folder, simRate, preload, env }: ClusterOptions,
): Promise<RunningCluster> {
  const server = await postgresForTests();
  const command = redisCommand();
  if (server === null || command === null) throw new Error('a cluster needs a PostgreSQL and a redis-server');
  const [database, redis] = await Promise.all([testDatabase(server), OwnRedis.start(command, true)]);
  try {
    const config = join(folder, 'bench.json');
    writeFileSync(config, JSON.stringify({ tiers: { bench: BENCH_TIER } }));
    const settings = (role: string): Record<string, string> => ({
      ...NO_LIMITS,
      ...SAME_PRICES,
      TICKWIRE_ROLE: role,
      TICKWIRE_DATABASE_URL: database.url,
      TICKWIRE_REDIS_URL: redis.url,
      TICKWIRE_LOG_KEY: join(folder, 'log-key.pem'),
    });
    const flags = ['--config', config, '--data', folder, '--port', '0', '--metrics-port', 'off', '--log', 'warn'];
    const serve = [MAIN, 'serve', ...flags, '--sim-rate', String(simRate)];
    const ingest = await children.server([process.execPath, '--preload', preload, ...serve], {
      ...settings('ingest'),
      ...env,
    });
    const key = await keyIn(database.url);
    const gateway = await children.server([...cores.server, process.execPath, ...serve], settings('gateway'));
    await ready(gateway);
    return {
      ingest,
      gateway,
      redisPid: redis.pid,
      key,
      async stop() {
        await gateway.stop();
        await ingest.stop();
        await redis.end();
        await database.dispose();
      },
    };
  } catch (error) {
    await children.stopAll();
    await redis.end();
    await database.dispose();
    throw error;
  }
}

async function keyIn(url: string): Promise<string> {
  const { access, close } = await openPostgresAccessStore(url);
  try {
    const now = Date.now();
    const account = await access.createAccount('bench', 'bench', now);
    const by = { store: access, actor: 'bench', now };
    return (await issueKey(by, { name: 'bench', scopes: ['read'], expiresAt: null, account })).key;
  } finally {
    await close();
  }
}

/** Waits until it has ticks to send. */
async function ready({ port }: ServerChild): Promise<void> {
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (response?.ok && ((await response.json()) as { status: string }).status === 'ok') return;
    if (performance.now() > deadline) throw new Error(`the gateway was not ready in ${READY_MS / 1000} s`);
    await Bun.sleep(50);
  }
}
