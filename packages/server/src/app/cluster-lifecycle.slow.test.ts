// Start and stop of the nodes of a cluster on real PostgreSQL and Redis: nothing stays open, neither after a stop nor after a
// start that failed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type NodeProcessOptions, runNodeProcess } from '../../testing/app/node-process.fixture.ts';
import { postgresForTests, redisForTests } from '../../testing/external-services.fixture.ts';
import { freePort } from '../../testing/free-port.fixture.ts';
import { runTickwire } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { type TestDatabase, testDatabase } from '../../testing/store/postgres-database.fixture.ts';
import { redisKeys } from '../cluster/redis-keys.ts';
import { RedisLink } from '../cluster/redis-link.ts';
import { silentLog } from '../ops/log.ts';
import { openLogKey } from '../signals/log-key.ts';
import { gatewayRoleSql } from '../store/postgres/gateway-role.ts';

const server = await postgresForTests();
const redis = await redisForTests();
const NAME = `test-${crypto.randomUUID().slice(0, 8)}`;

describe.skipIf(!server || !redis)('a node of a cluster', () => {
  const data = temporaryFolder();
  let database: TestDatabase;
  let link: RedisLink;
  beforeAll(async () => {
    database = await testDatabase(server!);
    link = await RedisLink.open({ url: redis!, name: NAME, log: silentLog });
  });
  afterAll(async () => {
    const keys = (await link.send(['KEYS', `{${NAME}:live}*`])) as string[];
    if (keys.length > 0) await link.send(['DEL', ...keys]);
    link.close();
    await database.dispose();
    rmSync(data, { recursive: true, force: true });
  });

  async function run(
    role: 'ingest' | 'gateway',
    changes: Readonly<Record<string, string>> = {},
    options: Partial<NodeProcessOptions> = {},
  ) {
    const port = await freePort();
    const cluster = { database_url: database.url, redis_url: redis!, cluster_name: NAME };
    const settings = {
      data,
      port: String(port),
      metrics_port: 'off',
      feeds: 'push',
      news: 'none',
      ...cluster,
      ...changes,
    };
    const result = await runNodeProcess({ role, settings, ...options });
    // Its lease is released, or was never acquired: the next ingest node need not wait until it expires.
    const lease = await link.send(['HGET', redisKeys(`${NAME}:live`).lease, 'id']);
    return { ...result, lease };
  }
  const closed = { openFiles: [], exited: true, lease: null };

  test('ingest: becomes active, and leaves nothing open after a stop', async () => {
    const { log, ...result } = await run('ingest', { metrics_port: '0' });
    expect(result).toEqual({ failure: null, ...closed });
    expect(log.filter((message) => !message.startsWith('the journal starts a new epoch'))).toEqual([
      'on standby',
      'this ingest node is active',
      'serving gateways',
      'stopped',
    ]);
  });

  test('gateway: serves, and leaves nothing open after a stop', async () => {
    const { log, ...result } = await run('gateway', { metrics_port: '0' });
    expect(result).toEqual({ failure: null, ...closed });
    expect(log.filter((message) => message === 'serving' || message === 'stopped')).toEqual(['serving', 'stopped']);
  });

  test('gateway: serves with the database role of gateways', async () => {
    const role = `tickwire_test_${NAME.slice(5)}`;
    await database.ask(gatewayRoleSql(new URL(server!).username, role));
    const url = new URL(database.url);
    url.username = role;
    const { log, ...result } = await run('gateway', { database_url: url.href });
    await database.ask(`DROP OWNED BY ${role}`);
    await database.ask(`DROP ROLE ${role}`);
    expect(result).toEqual({ failure: null, ...closed });
    expect(log).toContain('serving');
  });

  test('gateway: does not start with a two-factor key that is missing or damaged', async () => {
    const file = join(data, 'gateways.key');
    const missing = await run('gateway', { two_factor_key: file });
    expect(missing).toMatchObject(closed);
    expect(missing.failure).toContain('cannot be read');
    writeFileSync(file, 'short');
    expect((await run('gateway', { two_factor_key: file })).failure).toContain('openssl rand -base64 32');
  });

  test.each(['ingest', 'gateway'] as const)('%s: leaves nothing open if Redis refuses the connection', async (role) => {
    const result = await run(role, { redis_url: `redis://127.0.0.1:${await freePort()}` });
    expect(result).toMatchObject(closed);
    expect(result.failure).toContain('Redis');
  });

  test.each(['ingest', 'gateway'] as const)('%s: leaves nothing open if the database has no tables', async (role) => {
    const empty = await testDatabase(server!, { empty: true });
    const result = await run(role, { database_url: empty.url });
    await empty.dispose();
    expect(result).toMatchObject(closed);
    expect(result.failure).toContain('tickwire migrate');
  });

  describe('with another log key than the signal log', () => {
    const other = temporaryFolder();
    afterAll(() => rmSync(other, { recursive: true, force: true }));

    test('ingest: refuses to start, and leaves nothing open', async () => {
      const missing = await run('ingest', { data: other });
      expect(missing).toMatchObject(closed);
      expect(missing.failure).toContain('there is no log key');
      openLogKey(join(other, 'live', 'log-key.pem'));
      const wrong = await run('ingest', { data: other });
      expect(wrong).toMatchObject(closed);
      expect(wrong.failure).toContain('is not the key this signal log was created with');
    });

    test('doctor says why', async () => {
      const settings = { role: 'ingest', feeds: 'push', port: '0', metrics_port: 'off', database_url: database.url };
      const findings = async (folder: string) =>
        (await runTickwire(['doctor', '--json'], { ...settings, data: folder })).out
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as { part: string; state: string; what: string })
          .find(({ part }) => part === 'log key');
      expect(await findings(data)).toMatchObject({ state: 'ok' });
      expect(await findings(other)).toMatchObject({
        state: 'fail',
        what: expect.stringContaining('is not the key this signal log was created with'),
      });
    });
  });

  test.each([
    ['ingest', 'port'],
    ['ingest', 'metrics_port'],
    ['ingest', 'link_port'],
    ['gateway', 'port'],
    ['gateway', 'metrics_port'],
  ] as const)('%s: leaves nothing open if another program listens on the %s', async (role, setting) => {
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    const result = await run(role, { [setting]: String(other.port) });
    await other.stop(true);
    expect(result).toMatchObject(closed);
    expect(result.failure).toContain(`TICKWIRE_${setting.toUpperCase()}`);
  });

  test.each(['open', 'clock', 'start'] as const)(
    'ingest: reports an activation that fails at %s of the feeds, and leaves nothing open after a stop',
    async (failingFeeds) => {
      const result = await run('ingest', {}, { failingFeeds });
      expect(result).toMatchObject({ failure: `the feeds fail at ${failingFeeds}`, ...closed });
    },
  );
});
