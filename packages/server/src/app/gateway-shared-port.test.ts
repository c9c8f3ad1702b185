// Two gateways of a cluster that share a port, on real PostgreSQL and Redis.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { freePort } from '../../testing/free-port.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { isEvent, StreamClient } from '../../testing/stream-client.fixture.ts';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { waitForServices } from '../cli/wait-for-services.ts';

/** Streams of an account of the tier `free`. */
const STREAMS = 2;

describe.skipIf(!canRunCluster)('two gateways on one port', () => {
  let cluster: SmallCluster;
  let url: string;
  beforeAll(async () => {
    const port = String(await freePort());
    cluster = await SmallCluster.start({ feeds: 'push' }, 2, { port, reuse_port: 'true' });
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(() => cluster?.end());

  async function newKey(name: string, tier: string): Promise<string> {
    const { access } = cluster.ingest.store;
    const by = { store: access, actor: 'test', now: Date.now() };
    const account = await createAccount(by, name, tier, true);
    const { key } = await issueKey(by, { name, scopes: ['read', 'ingest'], expiresAt: null, account });
    await waitForServices(access, 'the key');
    return key;
  }

  test('count the streams of an account together, wherever they are', async () => {
    const key = await newKey('Reader', 'free');
    for (let attempt = 0; attempt < 8; attempt++) {
      const streams = await Promise.all(
        Array.from({ length: STREAMS }, () => StreamClient.open(`${url.replace('http', 'ws')}/ws/market`, key)),
      );
      for (const stream of streams) {
        stream.send({ action: 'ping' });
        expect(await stream.next()).toEqual({ event: 'pong' });
      }
      const further = await StreamClient.open(`${url.replace('http', 'ws')}/ws/market`, key);
      expect(await further.next(isEvent('error'))).toMatchObject({ code: 'stream_limit' });
      for (const stream of streams) stream.close();
      await Promise.all(streams.map(({ closed }) => closed));
      // A slot is free once the gateway has told Redis.
      await Bun.sleep(100);
    }
  });

  test('both accept connections, and one goes on without the other', async () => {
    const key = await newKey('Bot', 'premium');
    const ask = (): Promise<Response> =>
      fetch(`${url}/api/symbols`, { headers: { 'X-API-Key': key, Connection: 'close' }, keepalive: false });
    for (let request = 0; request < 20; request++) expect((await ask()).status).toBe(200);
    const [first] = cluster.gateways.splice(0, 1);
    await first!.stop();
    await eventually('the other gateway', async () => (await ask()).ok);
    for (let request = 0; request < 20; request++) expect((await ask()).status).toBe(200);
  });
});
