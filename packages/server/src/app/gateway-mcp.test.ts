// `/mcp` on the gateways of a cluster on real PostgreSQL and Redis: any of them answers any message, with one allowance, and
// publishing reaches the ingest node.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { TestAgent } from '../../testing/mcp.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { BUY, EURO, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { waitForServices } from '../cli/wait-for-services.ts';

describe.skipIf(!canRunCluster)('the gateways of a cluster', () => {
  let cluster: SmallCluster;
  beforeAll(async () => {
    cluster = await SmallCluster.start({ feeds: 'push' }, 2);
    const market = await TestMarket.at(cluster.gateway.url, (await publisher('Prices', ['ingest'])).issued.key);
    await market.quote(...EURO);
  });
  afterAll(() => cluster.end());

  async function publisher(name: string, scopes: readonly string[]): Promise<TestPublisher> {
    const { access } = cluster.ingest.store;
    const by = { store: access, actor: 'test', now: Date.now() };
    const account = await createAccount(by, name, 'free', true);
    const issued = await issueKey(by, { name, scopes: scopes as never, expiresAt: null, account });
    await waitForServices(access, 'the key');
    return new TestPublisher({ url: cluster.gateway.url }, issued);
  }

  test('publish, read and verify the same signal', async () => {
    const one = await publisher('One', ['read', 'publish']);
    const [first, second] = cluster.gateways;
    const here = await TestAgent.overHttp(first!.url, one.issued.key);
    const there = await TestAgent.overHttp(second!.url, one.issued.key, 'legacy');
    const { data } = await here.call('publish_signal', { ...BUY, confirm: true });
    const { id } = data.signal;
    let items: { id: string; publisher: string }[] = [];
    await eventually('the signal on the other gateway', async () => {
      items = (await there.call('get_signals')).data.items;
      return items.length > 0;
    });
    expect(items).toMatchObject([{ id, publisher: 'One' }]);
    expect((await there.call('verify_signal', { id })).data.verified).toBe(true);
    await here.close();
    await there.close();
  });

  test('count the calls of an account together', async () => {
    const one = await publisher('Two', ['read']);
    const agents = await Promise.all(cluster.gateways.map(({ url }) => TestAgent.overHttp(url, one.issued.key)));
    let refused = '';
    for (let call = 0; call < 40 && refused === ''; call++) {
      const result = await agents[call % 2]!.client.callTool({
        name: 'get_quotes',
        arguments: { symbols: ['EURUSD'] },
      }).catch((error: Error) => error);
      if (result instanceof Error) refused = result.message;
      else if (result.isError) refused = (result.content[0] as { text: string }).text;
      else expect(call).toBeLessThan(20);
    }
    expect(refused).toContain('allows 60 requests');
    for (const agent of agents) await agent.close();
  });
});
