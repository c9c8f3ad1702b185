// Signals through a gateway of a cluster on real PostgreSQL and Redis: requests are forwarded to the ingest node, details come
// from the database, and streams from the journal.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { LogPage, SigningKey } from '@tickwire/contract';
import { postgresForTests, redisForTests } from '../../testing/external-services.fixture.ts';
import { PASSWORD, Person } from '../../testing/person.fixture.ts';
import { BUY, codeOf, EURO, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { type TestDatabase, testDatabase } from '../../testing/store/postgres-database.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { requestOfLog } from '../cli/log-request.ts';
import { waitForServices } from '../cli/wait-for-services.ts';
import { RedisLink } from '../cluster/redis-link.ts';
import { loadConfig } from '../config/config.ts';
import { openFeeds } from '../market/feeds/open-feeds.ts';
import { silentLog } from '../ops/log.ts';
import type { App } from './app.ts';
import { startGateway } from './gateway-node.ts';
import { startIngest } from './ingest-node.ts';

setDefaultTimeout(90_000);

const server = await postgresForTests();
const redis = await redisForTests();
const NAME = `test-${crypto.randomUUID().slice(0, 8)}`;

describe.skipIf(!server || !redis)('a gateway of a cluster', () => {
  const data = temporaryFolder();
  let database: TestDatabase;
  let ingest: App;
  let gateway: App;
  let market: TestMarket;
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
    gateway = await startGateway(config('gateway'), silentLog, new AbortController().signal);
    while ((await ingest.store.access.servicesBehind(Number.MAX_SAFE_INTEGER)) < 2) await Bun.sleep(20);
    market = await TestMarket.at(gateway.url, (await publisher('Prices', ['ingest'])).issued.key);
    await market.quote(...EURO);
  });
  afterAll(async () => {
    for (const app of [gateway, ingest]) await app.stop();
    const link = await RedisLink.open({ url: redis!, name: NAME, log: silentLog });
    const keys = (await link.send(['KEYS', `{${NAME}:live}*`])) as string[];
    if (keys.length > 0) await link.send(['DEL', ...keys]);
    link.close();
    await database.dispose();
    rmSync(data, { recursive: true, force: true });
  });

  async function publisher(name: string, scopes = ['read', 'publish']): Promise<TestPublisher> {
    const { access } = ingest.store;
    const by = { store: access, actor: 'test', now: Date.now() };
    const account = await createAccount(by, name, 'premium', true);
    const issued = await issueKey(by, { name, scopes: scopes as never, expiresAt: null, account });
    await waitForServices(access, 'the key');
    return new TestPublisher({ url: gateway.url }, issued);
  }

  test('publishes, amends, closes and voids, and streams all of it', async () => {
    const one = await publisher('One');
    const stream = await StreamClient.open(`${gateway.url.replace('http', 'ws')}/ws/signals`, one.issued.key);
    await stream.ask({ action: 'subscribe', seq: true, closes: true, fills: true, changes: true });
    const targets = [
      { price: 1.085, fraction: 0.5 },
      { price: 1.088, fraction: 0.5 },
    ];
    const { take_profit: _, ...terms } = BUY;
    const { id } = await one.open({ ...terms, targets }, market);
    expect(await one.amended(id, 1.083)).toMatchObject({ current_stop_loss: 1.083, targets });
    const closed = await one.closed(id, market);
    expect(closed).toMatchObject({ id, close_reason: 'manual' });
    // Without a further quote: accepted.
    const other = await one.open(BUY, market);
    const accepted = await one.close(other.id);
    expect([accepted.status, await accepted.json()]).toMatchObject([202, { id: other.id, status: 'active' }]);
    const operator = await publisher('Operator', ['admin']);
    const voided = await operator.post(`/api/admin/signals/${id}/void`, JSON.stringify({ reason: 'a test' }));
    expect(await voided.json()).toMatchObject({ id, close_reason: 'voided', voided_reason: 'a test' });
    const said = await stream.take(7, isData);
    expect(said.map(({ id: of, state, change, close_reason }) => [of === id, close_reason ?? change ?? state])).toEqual(
      [
        [true, undefined],
        [true, 'open'],
        [true, 'amended'],
        [true, 'manual'],
        [false, undefined],
        [false, 'open'],
        [true, 'voided'],
      ],
    );
    stream.close();
    const { records } = await one.read<{ records: LogPage['items'] }>(`/api/signals/${id}/proof`);
    const types: string[] = records.map(({ record }) => record.type);
    expect(types).toEqual(['published', 'filled', 'amended', 'close_requested', 'closed', 'voided']);
    await market.repeat('EURUSD');
    await one.ended(other.id);
    const list = await one.read<{ items: { id: string }[] }>('/api/signals?status=all&detail=true');
    expect(list.items as object[]).toEqual([await one.detail(other.id), await one.detail(id)]);
  });

  test('registers a signing key of a session, and carries out requests of the command line', async () => {
    const person = new Person(gateway);
    await person.must(201, person.post('/api/account/sign-up', { name: 'Ada', password: PASSWORD }));
    const key = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
    const set = (await (await person.post('/api/account/signing-key', { public_key: key })).json()) as SigningKey;
    expect(set).toEqual({ public_key: key, n: expect.any(Number) });
    expect((await (await person.get('/api/account/signing-key')).json()) as SigningKey).toEqual(set);
    const two = await publisher('Two');
    const { id } = await two.open(BUY, market);
    expect(await requestOfLog(ingest.store.access, 'live', { kind: 'void', signal: id, reason: 'by hand' })).toBe(true);
    expect(await two.ended(id)).toMatchObject({ voided_reason: 'by hand' });
    const again = requestOfLog(ingest.store.access, 'live', { kind: 'void', signal: id, reason: 'twice' });
    await expect(again).rejects.toThrow('already void');
    await requestOfLog(ingest.store.access, 'live', { kind: 'signing key', publisher: two.id, public_key: key });
    expect(await codeOf(await two.publish(BUY))).toEqual([403, 'signature_required']);
  });
});
