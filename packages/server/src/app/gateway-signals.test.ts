// Signals through a gateway of a cluster on real PostgreSQL and Redis: requests are forwarded to the ingest node, details come
// from the database, and streams from the journal.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { LogPage, SigningKey } from '@tickwire/contract';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { PASSWORD, Person } from '../../testing/person.fixture.ts';
import { BUY, codeOf, EURO, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { requestOfLog } from '../cli/log-request.ts';
import { waitForServices } from '../cli/wait-for-services.ts';

describe.skipIf(!canRunCluster)('a gateway of a cluster', () => {
  let cluster: SmallCluster;
  let market: TestMarket;
  beforeAll(async () => {
    cluster = await SmallCluster.start({ feeds: 'push', registration: 'open', trusted_proxies: '127.0.0.1' });
    market = await TestMarket.at(cluster.gateway.url, (await publisher('Prices', ['ingest'])).issued.key);
    await market.quote(...EURO);
  });
  afterAll(() => cluster.end());

  async function publisher(name: string, scopes = ['read', 'publish']): Promise<TestPublisher> {
    const { access } = cluster.ingest.store;
    const by = { store: access, actor: 'test', now: Date.now() };
    const account = await createAccount(by, name, 'premium', true);
    const issued = await issueKey(by, { name, scopes: scopes as never, expiresAt: null, account });
    await waitForServices(access, 'the key');
    return new TestPublisher({ url: cluster.gateway.url }, issued);
  }

  test('publishes, amends, closes and voids, and streams all of it', async () => {
    const one = await publisher('One');
    const stream = await StreamClient.open(`${cluster.gateway.url.replace('http', 'ws')}/ws/signals`, one.issued.key);
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
    const person = new Person(cluster.gateway);
    await person.must(201, person.post('/api/account/sign-up', { name: 'Ada', password: PASSWORD }));
    const key = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
    expect(await codeOf(await person.post('/api/account/signing-key', { public_key: key }))).toEqual([
      403,
      'confirmation_required',
    ]);
    await person.confirm();
    const set = (await (await person.post('/api/account/signing-key', { public_key: key })).json()) as SigningKey;
    expect(set).toEqual({ public_key: key, n: expect.any(Number) });
    expect((await (await person.get('/api/account/signing-key')).json()) as SigningKey).toEqual(set);
    const two = await publisher('Two');
    const { id } = await two.open(BUY, market);
    expect(
      await requestOfLog(cluster.ingest.store.access, 'live', { kind: 'void', signal: id, reason: 'by hand' }),
    ).toBe(true);
    expect(await two.ended(id)).toMatchObject({ voided_reason: 'by hand' });
    const again = requestOfLog(cluster.ingest.store.access, 'live', { kind: 'void', signal: id, reason: 'twice' });
    await expect(again).rejects.toThrow('already void');
    await requestOfLog(cluster.ingest.store.access, 'live', {
      kind: 'signing key',
      publisher: two.id,
      public_key: key,
    });
    expect(await codeOf(await two.publish(BUY))).toEqual([403, 'signature_required']);
  });
});
