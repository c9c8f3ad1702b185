// Volume at price in a cluster on real PostgreSQL and Redis: every gateway has all of it, also one that was started later.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { FootprintPage, Profile } from '@tickwire/contract';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { waitForServices } from '../cli/wait-for-services.ts';

const START = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;

describe.skipIf(!canRunCluster)('volume at price of a cluster', () => {
  let cluster: SmallCluster;
  let key: string;
  /** Volumes in 1e-8, by minute, level and side. */
  const expected = new Map<string, number>();

  beforeAll(async () => {
    cluster = await SmallCluster.start({ feeds: 'push', spike_percent: '1000' }, 2);
    const { access } = cluster.ingest.store;
    const by = { store: access, actor: 'test', now: Date.now() };
    const account = await createAccount(by, 'Reader', 'premium', true);
    ({ key } = await issueKey(by, { name: 'Reader', scopes: ['read', 'ingest'], expiresAt: null, account }));
    await waitForServices(access, 'the key');
  });
  afterAll(() => cluster.end());

  const url = (gateway: number): string => cluster.gateways[gateway]!.url;
  async function get<T>(gateway: number, path: string): Promise<T> {
    const answer = await fetch(new URL(path, url(gateway)), { headers: { 'X-API-Key': key } });
    expect([path, answer.status]).toEqual([path, 200]);
    return (await answer.json()) as T;
  }
  /** Trades of some minutes, every seventh one of them two minutes late. */
  async function push(from: number, minutes: number): Promise<void> {
    const lines: string[] = [];
    for (let at = 0; at < minutes * 6; at++) {
      const time = from + at * 10_000 - (at % 7 === 6 && at > 15 ? 2 * MINUTE_MS : 0);
      const [price, units, side] = [50_000 + ((at * 37) % 90), 1e7 + at, at % 3 === 0 ? 'sell' : 'buy'];
      lines.push(JSON.stringify({ symbol: 'BTCUSD', time, price, size: units / 1e8, side }));
      const name = `${time - (time % MINUTE_MS)} ${Math.floor(price / 10) * 10} ${side}`;
      expected.set(name, (expected.get(name) ?? 0) + units);
    }
    const answer = await fetch(new URL('/ingest/ticks', url(0)), {
      method: 'POST',
      body: lines.join('\n'),
      headers: { 'X-API-Key': key },
    });
    expect(await answer.json()).toMatchObject({ accepted: lines.length });
  }
  async function expectAll(gateway: number): Promise<void> {
    const total = [...expected.values()].reduce((sum, units) => sum + units, 0);
    const range = `from=${START}&to=${START + 12 * HOUR_MS}`;
    await eventually(`gateway ${gateway} has every trade`, async () => {
      const { volume } = await get<Profile>(gateway, `/api/profile/BTCUSD?${range}`);
      return Math.round(volume * 1e8) === total;
    });
    const { items } = await get<FootprintPage>(gateway, `/api/footprint/BTCUSD?interval=1m&limit=1000&${range}`);
    const found = new Map<string, number>();
    for (const { time, levels, uncovered_volume } of items) {
      expect(uncovered_volume).toBe(0);
      for (const { price, buy, sell } of levels) {
        if (buy > 0) found.set(`${Date.parse(time)} ${price} buy`, Math.round(buy * 1e8));
        if (sell > 0) found.set(`${Date.parse(time)} ${price} sell`, Math.round(sell * 1e8));
      }
    }
    expect(new Map([...found].sort())).toEqual(new Map([...expected].sort()));
  }

  test('is the same on every gateway, from the store and from memory', async () => {
    // Longer than memory holds.
    await push(START, 120);
    for (const gateway of [0, 1]) await expectAll(gateway);
    await cluster.restartGateway(1);
    await expectAll(1);
    await push(START + 2 * HOUR_MS, 7);
    for (const gateway of [0, 1]) await expectAll(gateway);
  });

  test('is streamed by every gateway', async () => {
    const address = url(1).replace('http', 'ws');
    const stream = await StreamClient.open(`${address}/ws/orderflow`, key);
    await stream.ask({ action: 'subscribe', channel: 'footprint', timeframe: '1h', symbols: ['BTCUSD'] });
    const message = await stream.next(({ channel }) => channel === 'footprint');
    const { items } = await get<FootprintPage>(0, '/api/footprint/BTCUSD?interval=1h');
    expect(message).toMatchObject({ volume: items.at(-1)!.volume, levels: items.at(-1)!.levels });
    stream.close();
  });
});
