// Public records at a gateway of a cluster, which reads them from the store and its replica.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { PublicRecordPage, PublisherDetail } from '@tickwire/contract';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { PASSWORD, Person } from '../../testing/person.fixture.ts';

describe.skipIf(!canRunCluster)('a gateway of a cluster', () => {
  let cluster: SmallCluster;
  beforeAll(async () => {
    cluster = await SmallCluster.start({
      house: 'none',
      registration: 'open',
      public_records: 'on',
      sim_rate: '500',
      sim_seed: '1',
    });
  });
  afterAll(() => cluster.end());

  test('serves the page, the badge and the records of a publisher', async () => {
    const person = new Person(cluster.gateway);
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
    const get = (path: string): Promise<Response> => fetch(cluster.gateway.url + path);
    while ((await get('/p/Ada')).status !== 200) await Bun.sleep(50);
    expect(await (await get('/p/Ada')).text()).toContain('<title>Ada · track record</title>');
    expect(await (await get('/p/ada/badge.svg')).text()).toContain('Ada · unproven · ');
    const record = (await (await get('/public/publishers/Ada')).json()) as PublisherDetail;
    expect(record).toMatchObject({ name: 'Ada', signals: 1 });
    const page = (await (await get(`/public/publishers/${record.publisher}/records`)).json()) as PublicRecordPage;
    expect(page.items.map(({ signal }) => signal)).toEqual([id]);
    expect((await fetch(`${cluster.ingest.url}/p/Ada`)).status).toBe(404);
  });
});
