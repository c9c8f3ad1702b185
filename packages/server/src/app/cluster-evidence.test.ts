// The tape of a day and kept heads through a gateway, on real PostgreSQL and Redis: the gateway has no files of its own.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { LogHead } from '@tickwire/contract';
import { postgresForTests, redisForTests } from '../../testing/external-services.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { type TestDatabase, testDatabase } from '../../testing/store/postgres-database.fixture.ts';
import { RedisLink } from '../cluster/redis-link.ts';
import { loadConfig } from '../config/config.ts';
import { openFeeds } from '../market/feeds/open-feeds.ts';
import { silentLog } from '../ops/log.ts';
import { signHead } from '../signals/head.ts';
import { openLogKey } from '../signals/log-key.ts';
import { chainRecord } from '../signals/log-records.ts';
import { evidencePath, writeEvidence } from '../signals/verify/evidence-file.ts';
import { NO_SIGNAL_CHANGES } from '../store/signal-store.ts';
import type { App } from './app.ts';
import { startGateway } from './gateway-node.ts';
import { startIngest } from './ingest-node.ts';

setDefaultTimeout(90_000);

const server = await postgresForTests();
const redis = await redisForTests();
const NAME = `test-${crypto.randomUUID().slice(0, 8)}`;

describe.skipIf(!server || !redis)('a gateway', () => {
  const [ingestData, gatewayData] = [temporaryFolder(), temporaryFolder()];
  let database: TestDatabase;
  let ingest: App;
  let gateway: App;
  let key: string;

  beforeAll(async () => {
    database = await testDatabase(server!);
    const config = (role: string, data: string) => {
      const cluster = { database_url: database.url, redis_url: redis!, cluster_name: NAME };
      const flags = { role, data, port: '0', metrics_port: 'off', news: 'none', house: 'none', ...cluster };
      return loadConfig({ flags, env: {}, cwd: data });
    };
    ingest = await startIngest(config('ingest', ingestData), silentLog, openFeeds);
    key = (await ingest.firstStart!).demoKey!;
    gateway = await startGateway(config('gateway', gatewayData), silentLog, new AbortController().signal);
  });
  afterAll(async () => {
    await gateway?.stop();
    await ingest?.stop();
    const link = await RedisLink.open({ url: redis!, name: NAME, log: silentLog });
    const keys = (await link.send(['KEYS', `{${NAME}:sim}*`])) as string[];
    if (keys.length > 0) await link.send(['DEL', ...keys]);
    link.close();
    await database.dispose();
    for (const folder of [ingestData, gatewayData]) rmSync(folder, { recursive: true, force: true });
  });

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(gateway.url + path, { headers: { 'X-API-Key': key, ...headers }, decompress: false });

  test('streams the tape of today from the ingest node', async () => {
    const today = new Date().toISOString().slice(0, 10);
    await eventually(
      'the tape has ticks',
      async () => {
        // Few enough requests for the limit of the key. The ingest node first computes the history of its markets.
        await Bun.sleep(250);
        const response = await get(`/api/evidence/${today}/EURUSD`, { 'Accept-Encoding': 'identity' });
        const text = await response.text();
        return response.headers.get('evidence-source') === 'tape' && /^\{"seq":\d+,/.test(text);
      },
      30_000,
    );
    const missing = await get('/api/evidence/2020-01-01/EURUSD');
    expect([missing.status, ((await missing.json()) as { code: string }).code]).toEqual([404, 'no_evidence']);
  });

  test('serves a sealed file that only the ingest node has, and kept heads from the database', async () => {
    const { signals, heads } = ingest.store;
    const day = '2026-03-02';
    const lines = Array.from({ length: 20_000 }, (_, seq) => ({ seq, time: seq, bid: 1, ask: 2, source: 'sim' }));
    const batches = (async function* () {
      yield lines;
    })();
    const content = await writeEvidence(evidencePath(join(ingestData, 'sim'), day, 'EURUSD'), batches);
    const tail = (await signals.tail())!;
    const at = new Date().toISOString();
    const seal = { type: 'tape', rules: 1, at, day, symbol: 'EURUSD', ...content } as const;
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

    const logKey = openLogKey(join(ingestData, 'sim', 'log-key.pem'));
    const { log } = (await (await get('/api/signals/head')).json()) as LogHead;
    const head = signHead(logKey, log, record, Date.now());
    await heads.keep({ n: head.n, hash: head.hash, at: Date.parse(head.at), signature: head.signature });
    await heads.addToken(head.n, { authority: 'https://tsa.example/', at: Date.parse(head.at), token: 'AQI=' });
    const page = await (await get('/api/signals/heads')).json();
    const tokens = [{ authority: 'https://tsa.example/', time: head.at, token: 'AQI=' }];
    expect(page).toEqual({ items: [{ ...head, tokens }], count: 1, next: null });
  });
});
