// An instrument that is added to a cluster, on real PostgreSQL and Redis: gateways that run know it at once, and later ones and the
// next ingest node from the store.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { InstrumentList } from '@tickwire/contract';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { FakeVenue } from '../../testing/feeds/fake-venue.fixture.ts';
import { LISTED_VENUES, settingsFor } from '../../testing/feeds/listed-venues.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { waitForServices } from '../cli/wait-for-services.ts';

describe.skipIf(!canRunCluster)('the instruments of a cluster', () => {
  const [venue] = LISTED_VENUES;
  const folder = temporaryFolder();
  let fake: FakeVenue;
  let cluster: SmallCluster;
  let headers: Record<string, string>;
  let market: Timer;
  beforeAll(async () => {
    fake = new FakeVenue(venue!.protocol());
    cluster = await SmallCluster.start(settingsFor(venue!, fake, folder), 2);
    const { access } = cluster.gateway.store;
    const by = { store: access, actor: 'test', now: Date.now() };
    const account = await createAccount(by, 'operator', 'premium', true);
    const { key } = await issueKey(by, { name: 'test', scopes: ['read', 'admin'], expiresAt: null, account });
    await waitForServices(access, 'the key');
    headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    market = setInterval(() => {
      for (const symbol of [venue!.configured, venue!.listed]) fake.quote(symbol);
    }, 20);
  });
  afterAll(async () => {
    clearInterval(market);
    await cluster.end();
    await fake[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const symbolsAt = async (gateway: number): Promise<string[]> => {
    const response = await fetch(`${cluster.gateways[gateway]!.url}/api/symbols`, { headers });
    return ((await response.json()) as InstrumentList).items.map(({ symbol }) => symbol);
  };
  /** The next quote on a stream that is opened now. */
  const streams = async (gateway: number): Promise<void> => {
    const stream = await StreamClient.open(
      `${cluster.gateways[gateway]!.url.replace('http', 'ws')}/ws/market`,
      headers['X-API-Key'],
    );
    await stream.ask({ action: 'subscribe', symbols: [venue!.added] });
    expect(await stream.next((message) => isData(message) && message.stale !== true)).toMatchObject({
      symbol: venue!.added,
    });
    stream.close();
  };

  test('are added at one gateway, and streamed by all of them without a restart', async () => {
    const response = await fetch(`${cluster.gateways[0]!.url}/api/instruments`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ venue: venue!.name, symbol: venue!.added }),
    });
    expect([response.status, await response.json()]).toMatchObject([201, { symbol: venue!.added }]);
    for (const gateway of [0, 1]) {
      await eventually('the gateway knows it', async () => (await symbolsAt(gateway)).includes(venue!.added));
      await streams(gateway);
    }
    const found = await fetch(`${cluster.gateways[1]!.url}/api/venues/binance/instruments?q=atom`, { headers });
    expect(await found.json()).toMatchObject({ items: [{ symbol: venue!.added, added: true }] });
  });

  test('are known to a gateway that starts later, and delivered by the next ingest node', async () => {
    await cluster.restartGateway(1);
    expect(await symbolsAt(1)).toEqual([venue!.known, venue!.added]);
    await cluster.failOver();
    for (const gateway of [0, 1]) await streams(gateway);
  });
});
