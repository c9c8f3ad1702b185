// Data of perpetuals on the gateways of a cluster, on real PostgreSQL and Redis.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Perpetual } from '@tickwire/contract';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { fakeBybit } from '../../testing/feeds/fake-bybit.fixture.ts';
import { FakeVenue } from '../../testing/feeds/fake-venue.fixture.ts';
import { BTC_PERPETUAL } from '../../testing/perpetual.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { waitForServices } from '../cli/wait-for-services.ts';

describe.skipIf(!canRunCluster)('perpetuals in a cluster', () => {
  let venue: FakeVenue;
  let cluster: SmallCluster;
  let key: string;
  beforeAll(async () => {
    venue = new FakeVenue(fakeBybit());
    const config = join(temporaryFolder(), 'tickwire.json');
    const bybit = { ws_url: venue.wsUrl, rest_url: venue.restUrl, symbols: { [BTC_PERPETUAL]: BTC_PERPETUAL } };
    writeFileSync(config, JSON.stringify({ venues: { bybit } }));
    cluster = await SmallCluster.start({ feeds: 'bybit', config }, 2);
    const { access } = cluster.ingest.store;
    const by = { store: access, actor: 'test', now: Date.now() };
    const account = await createAccount(by, 'Reader', 'premium', true);
    ({ key } = await issueKey(by, { name: 'Reader', scopes: ['read'], expiresAt: null, account }));
    await waitForServices(access, 'the key');
  });
  afterAll(async () => {
    await cluster?.end();
    await venue?.[Symbol.asyncDispose]();
  });

  const read = async (at: number): Promise<Perpetual> => {
    const url = `${cluster.gateways[at]!.url}/api/market/${BTC_PERPETUAL}/perpetual`;
    return Perpetual.parse(await (await fetch(url, { headers: { 'X-API-Key': key } })).json());
  };
  const open = (at: number): Promise<StreamClient> =>
    StreamClient.open(`${cluster.gateways[at]!.url.replace('http', 'ws')}/ws/perpetual`, key);

  test('every gateway answers with them, and a stream goes on at another gateway without a hole', async () => {
    for (const at of [0, 1]) await eventually('the figures', async () => (await read(at)).mark_price === 60_000.5);
    const first = await open(0);
    const { epoch, seq } = await first.ask({ action: 'subscribe', symbols: [BTC_PERPETUAL], seq: true });
    const one = venue.liquidate(BTC_PERPETUAL);
    const seen = await first.next(({ type }) => type === 'liquidation');
    expect(seen).toMatchObject({ price: Number(one.price), venue: 'bybit' });
    first.close();
    const other = venue.liquidate(BTC_PERPETUAL);
    const second = await open(1);
    await second.ask({
      action: 'subscribe',
      seq: true,
      symbols: [BTC_PERPETUAL],
      resume_from: { epoch, seq: seen.seq },
    });
    expect(await second.next(isData)).toMatchObject({ price: Number(other.price), prev: seen.seq });
    expect(Number(seen.seq)).toBeGreaterThan(Number(seq));
    second.close();
  });

  test('a gateway that starts later has them from the stream of the journal', async () => {
    const before = await read(0);
    expect(before.liquidations).toHaveLength(2);
    await cluster.restartGateway(1);
    expect(await read(1)).toEqual({ ...before, timestamp: expect.any(String) });
  });
});
