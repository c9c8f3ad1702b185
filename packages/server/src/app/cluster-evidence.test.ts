// The tape of a day and kept heads through a gateway, on real PostgreSQL and Redis: the gateway has no files of its own.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { LogHead } from '@tickwire/contract';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { signHead } from '../signals/head.ts';
import { openLogKey } from '../signals/log-key.ts';
import { chainRecord } from '../signals/log-records.ts';
import { evidencePath, writeEvidence } from '../signals/verify/evidence-file.ts';
import { NO_SIGNAL_CHANGES } from '../store/signal-store.ts';

describe.skipIf(!canRunCluster)('a gateway', () => {
  let cluster: SmallCluster;
  let key: string;
  beforeAll(async () => {
    cluster = await SmallCluster.start({ house: 'none' });
    key = (await cluster.ingest.firstStart!).demoKey!;
  });
  afterAll(() => cluster.end());

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(cluster.gateway.url + path, { headers: { 'X-API-Key': key, ...headers }, decompress: false });

  test('streams the tape of today from the ingest node', async () => {
    const today = new Date().toISOString().slice(0, 10);
    await eventually('the tape has ticks', async () => {
      // Few enough requests for the limit of the key. The ingest node first computes the history of its markets.
      await Bun.sleep(150);
      const response = await get(`/api/evidence/${today}/EURUSD`, { 'Accept-Encoding': 'identity' });
      const text = await response.text();
      return response.headers.get('evidence-source') === 'tape' && /^\{"seq":\d+,/.test(text);
    });
    const missing = await get('/api/evidence/2020-01-01/EURUSD');
    expect([missing.status, ((await missing.json()) as { code: string }).code]).toEqual([404, 'no_evidence']);
  });

  test('serves a sealed file that only the ingest node has, and kept heads from the database', async () => {
    const { signals, heads } = cluster.ingest.store;
    const day = '2026-03-02';
    const lines = Array.from({ length: 20_000 }, (_, seq) => ({ seq, time: seq, bid: 1, ask: 2, source: 'sim' }));
    const batches = (async function* () {
      yield lines;
    })();
    const content = await writeEvidence(evidencePath(join(cluster.ingestData, 'sim'), day, 'EURUSD'), batches);
    const tail = (await signals.tail())!;
    const at = new Date().toISOString();
    const seal = { type: 'tape', rules: 2, at, day, symbol: 'EURUSD', ...content } as const;
    const record = chainRecord(seal, tail.n + 1, tail.hash);
    const sealed = [{ day, symbol: 'EURUSD' as never, n: record.n }];
    await signals.write({ ...NO_SIGNAL_CHANGES, records: [record], sealed, judgedUntil: 0 });
    const response = await get(`/api/evidence/${day}/eurusd`, { 'Accept-Encoding': 'gzip' });
    expect([response.status, response.headers.get('evidence-sha256'), response.headers.get('etag')]).toEqual([
      200,
      content.sha256,
      `"${content.sha256}-gzip"`,
    ]);
    const unpacked = gunzipSync(await response.bytes());
    expect(createHash('sha256').update(unpacked).digest('hex')).toBe(content.sha256);
    const again = await get(`/api/evidence/${day}/EURUSD`, {
      'Accept-Encoding': 'gzip',
      'If-None-Match': response.headers.get('etag')!,
    });
    expect([again.status, (await again.bytes()).length]).toEqual([304, 0]);

    const logKey = openLogKey(join(cluster.ingestData, 'sim', 'log-key.pem'));
    const { log } = (await (await get('/api/signals/head')).json()) as LogHead;
    const head = signHead(logKey, log, record, Date.now());
    await heads.keep({ n: head.n, hash: head.hash, at: Date.parse(head.at), signature: head.signature });
    await heads.addToken(head.n, { authority: 'https://tsa.example/', at: Date.parse(head.at), token: 'AQI=' });
    const page = await (await get('/api/signals/heads')).json();
    const tokens = [{ authority: 'https://tsa.example/', time: head.at, token: 'AQI=' }];
    expect(page).toEqual({ items: [{ ...head, tokens }], count: 1, next: null });

    // Anyone can keep heads, through a gateway too.
    for (const path of ['/signals/head', '/signals/heads']) {
      const open = await fetch(`${cluster.gateway.url}/public${path}`);
      expect([path, await open.json()]).toEqual([path, await (await get(`/api${path}`)).json()]);
    }
  });
});
