// Public records at a gateway of a cluster, which reads them from the store and its replica.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { PublicRecordPage, PublisherDetail } from '@tickwire/contract';
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

describe.skipIf(!server || !redis)('a gateway of a cluster', () => {
  const data = temporaryFolder();
  let database: TestDatabase;
  let ingest: App;
  let gateway: App;
  beforeAll(async () => {
    database = await testDatabase(server!);
    const config = (role: string) => {
      const flags = {
        ...{ role, data, port: '0', metrics_port: 'off', house: 'none', news: 'none', registration: 'open' },
        ...{ database_url: database.url, redis_url: redis!, cluster_name: NAME, sim_rate: '500', sim_seed: '1' },
        ...{ public_records: 'on' },
      };
      return loadConfig({ flags, env: {}, cwd: data });
    };
    ingest = await startIngest(config('ingest'), silentLog, openFeeds);
    gateway = await startGateway(config('gateway'), silentLog, new AbortController().signal);
  });
  afterAll(async () => {
    await gateway.stop();
    await ingest.stop();
    const link = await RedisLink.open({ url: redis!, name: NAME, log: silentLog });
    const keys = (await link.send(['KEYS', `{${NAME}:sim}*`])) as string[];
    if (keys.length > 0) await link.send(['DEL', ...keys]);
    link.close();
    await database.dispose();
    rmSync(data, { recursive: true, force: true });
  });

  test('serves the page, the badge and the records of a publisher', async () => {
    const person = new Person(gateway);
    await person.must(201, person.post('/api/account/sign-up', { name: 'Ada', password: PASSWORD }));
    while ((await person.get('/api/market/EURUSD/quote')).status !== 200) await Bun.sleep(50);
    const { ask } = await person.read<{ ask: number }>('/api/market/EURUSD/quote');
    const levels = {
      entry: ask,
      stop_loss: Number((ask * 0.9).toFixed(5)),
      take_profit: Number((ask * 1.1).toFixed(5)),
    };
    const terms = { symbol: 'EURUSD', direction: 'buy', ...levels };
    const { id } = await person.must<{ id: string }>(201, person.post('/api/signals', terms));
    const get = (path: string): Promise<Response> => fetch(gateway.url + path);
    while ((await get('/p/Ada')).status !== 200) await Bun.sleep(50);
    expect(await (await get('/p/Ada')).text()).toContain('<title>Ada · track record</title>');
    expect(await (await get('/p/ada/badge.svg')).text()).toContain('Ada · unproven · ');
    const record = (await (await get('/public/publishers/Ada')).json()) as PublisherDetail;
    expect(record).toMatchObject({ name: 'Ada', signals: 1 });
    const page = (await (await get(`/public/publishers/${record.publisher}/records`)).json()) as PublicRecordPage;
    expect(page.items.map(({ signal }) => signal)).toEqual([id]);
    expect((await fetch(`${ingest.url}/p/Ada`)).status).toBe(404);
  });
});
