// Replay sessions of a cluster on real PostgreSQL and Redis: every gateway serves every session.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { iso, type ReplaySession } from '@tickwire/contract';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { waitForServices } from '../cli/wait-for-services.ts';

/** A Wednesday. */
const FROM = Date.UTC(2026, 2, 4, 12);

describe.skipIf(!canRunCluster)('two gateways of a cluster', () => {
  let cluster: SmallCluster;
  let key: string;
  beforeAll(async () => {
    cluster = await SmallCluster.start({ calendar: 'none' }, 2);
    const { access } = cluster.ingest.store;
    const by = { store: access, actor: 'test', now: Date.now() };
    const account = await createAccount(by, 'Replay', 'free', true);
    key = (await issueKey(by, { name: 'replay', scopes: ['read', 'publish'], expiresAt: null, account })).key;
    await waitForServices(access, 'the key');
  });
  afterAll(() => cluster.end());

  const send = (gateway: number, method: string, path: string, body?: object): Promise<Response> =>
    fetch(cluster.gateways[gateway]!.url + path, {
      method,
      headers: { 'X-API-Key': key },
      ...(body && { body: JSON.stringify(body) }),
    });

  test('judge practice signals alike, and forget them with their session', async () => {
    const range = { symbols: ['EURUSD'], from: iso(FROM), to: iso(FROM + 4 * HOUR_MS) };
    const { id } = (await (await send(0, 'POST', '/api/replays', range)).json()) as ReplaySession;
    for (let number = 0; number < 4; number++) {
      const clock = iso(FROM + number * 20 * MINUTE_MS + 5_000);
      expect((await send(number % 2, 'PATCH', `/api/replays/${id}`, { seek: clock })).status).toBe(200);
      const quote = await send(1, 'GET', `/api/market/EURUSD/quote?replay=${id}`);
      const { bid, ask } = (await quote.json()) as { bid: number; ask: number };
      const levels = { stop_loss: Number((bid - 0.0008).toFixed(5)), take_profit: Number((ask + 0.0008).toFixed(5)) };
      const order = { symbol: 'EURUSD', direction: 'buy', order: 'market', ...levels };
      expect((await send((number + 1) % 2, 'POST', `/api/signals?replay=${id}`, order)).status).toBe(201);
    }
    expect((await send(0, 'PATCH', `/api/replays/${id}`, { seek: range.to })).status).toBe(200);
    for (const path of [`/api/signals?status=all&detail=true&replay=${id}`, `/api/replays/${id}/record`]) {
      const [one, other] = await Promise.all(
        [0, 1].map(async (gateway) => (await (await send(gateway, 'GET', path)).json()) as object),
      );
      expect(other).toEqual(one!);
      expect(JSON.stringify(one)).toContain(path.includes('record') ? '"signals":4' : 'practice_4');
    }
    expect((await cluster.redisKeys()).filter((key) => key.includes(id)).length).toBeGreaterThan(1);
    expect((await send(1, 'DELETE', `/api/replays/${id}`)).status).toBe(200);
    expect((await cluster.redisKeys()).filter((key) => key.includes(id))).toEqual([]);
  });

  test('serve each session alike, and count it once', async () => {
    const request = { symbols: ['EURUSD', 'XAUUSD'], from: iso(FROM), to: iso(FROM + 4 * HOUR_MS) };
    const created = await send(0, 'POST', '/api/replays', request);
    expect(created.status).toBe(201);
    const session = (await created.json()) as ReplaySession;
    expect((await send(1, 'POST', '/api/replays', request)).status).toBe(409);
    expect(await (await send(1, 'GET', `/api/replays/${session.id}`)).json()).toEqual(session);
    for (const at of [0, 1]) {
      const clock = iso(FROM + HOUR_MS + at * 61_000);
      const changed = await send(at, 'PATCH', `/api/replays/${session.id}`, at ? { step: 'bar' } : { seek: clock });
      expect(changed.status).toBe(200);
      const paths = [
        `/api/quotes?detail=true&replay=${session.id}`,
        `/api/bars/EURUSD?interval=1m&replay=${session.id}`,
        `/api/market/XAUUSD?timeframe=5m&replay=${session.id}`,
      ];
      for (const path of paths) {
        const answers = await Promise.all([0, 1].map((gateway) => send(gateway, 'GET', path)));
        const [one, other] = await Promise.all(
          answers.map(async ({ status, headers }, gateway) => [
            status,
            headers.get('replay-clock'),
            headers.get('stream-epoch'),
            headers.get('stream-seq'),
            await answers[gateway]!.text(),
          ]),
        );
        expect(other).toEqual(one);
        expect(one![0]).toBe(200);
      }
    }
    expect((await send(1, 'DELETE', `/api/replays/${session.id}`)).status).toBe(200);
    expect((await send(0, 'GET', `/api/quotes?replay=${session.id}`)).status).toBe(404);
  });
});
