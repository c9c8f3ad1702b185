// Sessions and keys of a cluster with two gateways: what one of them grants or ends is known to the other.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { postgresForTests, redisForTests } from '../../testing/external-services.fixture.ts';
import { PASSWORD, Person } from '../../testing/person.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { type TestDatabase, testDatabase } from '../../testing/store/postgres-database.fixture.ts';
import { RedisLink } from '../cluster/redis-link.ts';
import { loadConfig } from '../config/config.ts';
import { openFeeds } from '../market/feeds/open-feeds.ts';
import { silentLog } from '../ops/log.ts';
import type { App } from './app.ts';
import { startGateway } from './gateway-node.ts';
import { startIngest } from './ingest-node.ts';

setDefaultTimeout(60_000);

const server = await postgresForTests();
const redis = await redisForTests();
const NAME = `test-${crypto.randomUUID().slice(0, 8)}`;

describe.skipIf(!server || !redis)('two gateways of a cluster', () => {
  const data = temporaryFolder();
  let database: TestDatabase;
  let ingest: App;
  let gateways: App[];
  beforeAll(async () => {
    database = await testDatabase(server!);
    const config = (role: string) => {
      const flags = {
        ...{ role, data, port: '0', metrics_port: 'off', feeds: 'push', news: 'none', registration: 'open' },
        ...{ database_url: database.url, redis_url: redis!, cluster_name: NAME, trusted_proxies: '127.0.0.1' },
      };
      return loadConfig({ flags, env: {}, cwd: data });
    };
    ingest = await startIngest(config('ingest'), silentLog, openFeeds);
    const never = new AbortController().signal;
    gateways = await Promise.all([1, 2].map(() => startGateway(config('gateway'), silentLog, never)));
    // Each node has reported once that it runs.
    while ((await ingest.store.access.servicesBehind(Number.MAX_SAFE_INTEGER)) < 3) await Bun.sleep(20);
  });
  afterAll(async () => {
    for (const app of [...gateways, ingest]) await app.stop();
    const link = await RedisLink.open({ url: redis!, name: NAME, log: silentLog });
    const keys = (await link.send(['KEYS', `{${NAME}:live}*`])) as string[];
    if (keys.length > 0) await link.send(['DEL', ...keys]);
    link.close();
    await database.dispose();
    rmSync(data, { recursive: true, force: true });
  });

  /** The same browser at the other gateway. */
  const at = (gateway: App, { cookie, address }: Person): Person => {
    const person = new Person(gateway, address);
    person.cookie = cookie;
    return person;
  };

  test('accept a session and a key of the other one at once', async () => {
    const [first, second] = gateways as [App, App];
    for (let round = 0; round < 3; round++) {
      const person = new Person(first);
      await person.must(201, person.post('/api/account/sign-up', { name: `Ada ${'ABC'[round]}`, password: PASSWORD }));
      const there = at(second, person);
      expect((await there.get('/api/account')).status).toBe(200);
      const key = await there.key();
      const used = await fetch(`${first.url}/api/session`, { headers: { 'X-API-Key': key } });
      expect(used.status).toBe(200);
    }
  });

  test('end a session of the other one with a new password, even if it has just started', async () => {
    const [first, second] = gateways as [App, App];
    const person = new Person(first);
    await person.must(201, person.post('/api/account/sign-up', { name: 'Bob', password: PASSWORD }));
    const intruder = new Person(second);
    const signIn = intruder.signIn('Bob');
    // The session is stored, but the first gateway does not know it yet.
    while ((await first.store.access.sessions()).length < 5) await Bun.sleep(1);
    const change = { password: PASSWORD, new_password: `${PASSWORD} 2` };
    await person.must(200, person.post('/api/account/password', change));
    expect((await signIn).status).toBe(200);
    await Bun.sleep(1_000);
    expect((await intruder.get('/api/account')).status).toBe(401);
    expect((await person.get('/api/account')).status).toBe(200);
  });
});
