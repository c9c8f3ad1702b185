// The history of a real market on a gateway: fetched by the ingest node, published through the journal, read from the store.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { BarsPage, Coverage } from '@tickwire/contract';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import type { FakeVenue } from '../../testing/feeds/fake-venue.fixture.ts';
import { pastBinance } from '../../testing/import/past-binance.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { waitForServices } from '../cli/wait-for-services.ts';

describe.skipIf(!canRunCluster)('the history of a cluster', () => {
  const folder = temporaryFolder();
  let fake: FakeVenue;
  let cluster: SmallCluster;
  let key: string;
  beforeAll(async () => {
    const past = pastBinance(folder);
    fake = past.fake;
    cluster = await SmallCluster.start(past.settings, 1);
    const { access } = cluster.ingest.store;
    const by = { store: access, actor: 'test', now: Date.now() };
    const account = await createAccount(by, 'Reader', 'premium', true);
    ({ key } = await issueKey(by, { name: 'Reader', scopes: ['read'], expiresAt: null, account }));
    await waitForServices(access, 'the key');
  });
  afterAll(async () => {
    await cluster.end();
    await fake[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const get = async (path: string): Promise<unknown> => {
    const response = await fetch(`${cluster.gateways[0]!.url}${path}`, { headers: { 'X-API-Key': key } });
    return response.json();
  };

  test('reaches the memory of a running gateway', async () => {
    const kept = async (timeframe: string) =>
      ((await get(`/api/market/BTCUSDT?timeframe=${timeframe}&bars=500`)) as { ohlcv: unknown[] }).ohlcv?.length ?? 0;
    for (const timeframe of ['1m', '1h', '1d']) while ((await kept(timeframe)) < 500) await Bun.sleep(1_000);
    const { items } = BarsPage.parse(await get('/api/bars/BTCUSDT?interval=1h&limit=48&fields=source'));
    expect(new Set(items.slice(0, 40).map(({ source }) => source))).toEqual(new Set(['venue']));
    const coverage = Coverage.parse(await get('/api/market/BTCUSDT/coverage?timeframe=1h'));
    expect(coverage.fetched).toHaveLength(1);
  });
});
