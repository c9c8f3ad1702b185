// Alerts through the gateways of a cluster on real PostgreSQL and Redis: created on a gateway, judged by the ingest node,
// streamed and delivered by any node. Another ingest node that takes over keeps them and fires nothing twice.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AlertUser, crossing, HookReceiver } from '../../testing/alert-user.fixture.ts';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { codeOf, TestMarket } from '../../testing/publisher.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { waitForServices } from '../cli/wait-for-services.ts';

describe.skipIf(!canRunCluster)('alerts of a cluster', () => {
  const folder = temporaryFolder();
  let cluster: SmallCluster;
  let market: TestMarket;
  beforeAll(async () => {
    const delivery_key = join(folder, 'delivery.key');
    writeFileSync(delivery_key, randomBytes(32).toString('base64'));
    const delivery = { delivery_key, delivery_allow_private: 'true' };
    cluster = await SmallCluster.start({ feeds: 'push', spike_percent: '50', ...delivery }, 2);
    market = await TestMarket.at(cluster.gateway.url, await key('Prices', ['ingest']));
  });
  afterAll(async () => {
    await cluster.end();
    rmSync(folder, { recursive: true, force: true });
  });

  async function key(name: string, scopes = ['read', 'alerts']): Promise<string> {
    const { access } = cluster.ingest.store;
    const by = { store: access, actor: 'test', now: Date.now() };
    const account = await createAccount(by, name, 'premium', true);
    const issued = await issueKey(by, { name, scopes: scopes as never, expiresAt: null, account });
    await waitForServices(access, 'the key');
    return issued.key;
  }

  const euro = (bid: number): Promise<void> => market.quote('EURUSD', bid, bid + 0.0001);

  test('are created, changed, fired, streamed and delivered, and survive a failover', async () => {
    await using receiver = await HookReceiver.open();
    const userKey = await key('Ada');
    const user = new AlertUser(cluster.gateway.url, userKey);
    const stream = await StreamClient.open(`${cluster.gateways[1]!.url.replace('http', 'ws')}/ws/alerts`, userKey);
    await stream.ask({ action: 'subscribe', seq: true });
    await euro(1.1);
    const deliver = [{ channel: 'webhook', url: receiver.url() }];
    const created = await user.alert({ condition: crossing(1.3), repeat: 'every_time', deliver });
    const { id } = created;
    expect(await user.must('PATCH', `/api/alerts/${id}`, { condition: crossing(1.2) })).toMatchObject({ id });
    expect(
      await codeOf(await new AlertUser(cluster.gateway.url, await key('Eve')).send('DELETE', `/api/alerts/${id}`)),
    ).toEqual([404, 'alert_not_found']);
    await euro(1.21);
    const [hook] = await receiver.wait(1);
    receiver.verify(created.created_destinations[0]!.secret!, hook!);
    expect(await stream.next(isData)).toMatchObject({ alert_id: id, price: 1.21, id: hook!.message.data.firing_id });

    await cluster.failOver();
    await eventually('the new ingest node', async () => (await user.send('GET', `/api/alerts/${id}`)).ok);
    expect(await user.must('GET', `/api/alerts/${id}`)).toMatchObject({ fired: 1, state: 'active' });
    await euro(1.22);
    await euro(1.1);
    await euro(1.23);
    expect((await receiver.wait(2)).map(({ message }) => message.data.price)).toEqual([1.21, 1.23]);
    expect(await stream.next(isData)).toMatchObject({ alert_id: id, price: 1.23 });
    expect((await user.firings()).map(({ price }) => price)).toEqual([1.23, 1.21]);
    expect(await user.must('DELETE', `/api/alerts/${id}`)).toMatchObject({ id, fired: 2 });
    stream.close();
  });
});
