// What an active ingest node serves on its two ports: health checks on its port, signed requests of gateways on its link port.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { connect } from 'node:tls';
import { ENDPOINTS, type EndpointName } from '@tickwire/contract';
import { postgresForTests, redisForTests } from '../../testing/external-services.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { type TestDatabase, testDatabase } from '../../testing/store/postgres-database.fixture.ts';
import { createAccount } from '../access/issue-key.ts';
import { ActiveIngestWatch } from '../cluster/active-ingest.ts';
import { type IngestLink, parseIngestLink } from '../cluster/link/ingest-link.ts';
import { signRequest } from '../cluster/link/link-signature.ts';
import { redisKeys } from '../cluster/redis-keys.ts';
import { RedisLink } from '../cluster/redis-link.ts';
import { loadConfig } from '../config/config.ts';
import { openFeeds } from '../market/feeds/open-feeds.ts';
import { createLog, silentLog } from '../ops/log.ts';
import type { App } from './app.ts';
import { startIngest } from './ingest-node.ts';

const server = await postgresForTests();
const redis = await redisForTests();
const NAME = `test-${crypto.randomUUID().slice(0, 8)}`;
const HEALTH: readonly EndpointName[] = ['healthz', 'readyz'];
/** The endpoints that need the pipeline. */
const WRITER_ENDPOINTS: readonly EndpointName[] = [
  ...([
    'publishSignal',
    'parseSignal',
    'closeSignal',
    'amendSignal',
    'voidSignal',
    'setSigningKey',
    'tradingViewHook',
  ] as const),
  ...([
    'signalProof',
    'signalHead',
    'publicSignalHead',
    'evidence',
    'feeds',
    'priceSource',
    'venueInstruments',
    'addInstrument',
    'languageModel',
    'newsSources',
    'calendarSources',
  ] as const),
  ...(['ingestTicks', 'ingestNews', 'ingestCalendar', 'alerts', 'createAlert', 'alert', 'changeAlert'] as const),
  ...(['deleteAlert', 'pauseAlert', 'resumeAlert', 'testAlert', 'firings', 'subscriptions'] as const),
  ...(['createSubscription', 'deleteSubscription', 'destinations', 'createDestination', 'verifyDestination'] as const),
  ...(['testDestination', 'deleteDestination', 'pushKey', 'deliveries', 'replayDelivery', 'preferences'] as const),
  'setPreferences',
  ...(['chatChannels', 'createChatChannel', 'changeChatChannel', 'deleteChatChannel', 'chatMessages'] as const),
];
const everyName = Object.keys(ENDPOINTS) as EndpointName[];
const pathOf = (name: EndpointName): string => ENDPOINTS[name].path.replaceAll(/\{\w+\}/g, 'x');

describe.skipIf(!server || !redis)('an active ingest node', () => {
  const data = temporaryFolder();
  let database: TestDatabase;
  let redisLink: RedisLink;
  let app: App;
  let link: IngestLink;
  let publicId: string;
  beforeAll(async () => {
    database = await testDatabase(server!);
    redisLink = await RedisLink.open({ url: redis!, name: NAME, log: silentLog });
    const flags = {
      ...{ role: 'ingest', data, port: '0', metrics_port: 'off', feeds: 'push', news: 'none' },
      ...{ database_url: database.url, redis_url: redis!, cluster_name: NAME },
    };
    let serving = false;
    const log = createLog({
      level: 'info',
      plain: false,
      write: (line) => {
        serving ||= line.includes('serving gateways');
      },
    });
    app = await startIngest(loadConfig({ flags, env: {}, cwd: data }), log, openFeeds);
    while (!serving) await Bun.sleep(10);
    const watch = await ActiveIngestWatch.open(redisLink, redisKeys(`${NAME}:live`));
    watch.stop();
    link = parseIngestLink(watch.current!.address)!;
    const by = { store: app.store.access, actor: 'test', now: Date.now() };
    publicId = (await createAccount(by, 'publisher', 'free', true)).publicId;
  });
  afterAll(async () => {
    await app.stop();
    const keys = (await redisLink.send(['KEYS', `{${NAME}:live}*`])) as string[];
    if (keys.length > 0) await redisLink.send(['DEL', ...keys]);
    redisLink.close();
    await database.dispose();
    rmSync(data, { recursive: true, force: true });
  });

  const statusOf = async (base: string, name: EndpointName): Promise<number> => {
    const { method } = ENDPOINTS[name];
    const tls = { ca: link.certificate };
    return (await fetch(base + pathOf(name), { method, tls, ...(method === 'POST' && { body: '{}' }) })).status;
  };
  /** Sends a request to the link port, signed for a caller with these scopes. */
  const send = (path: string, scopes: readonly string[], now = Date.now()) => {
    const caller = { 'x-tickwire-caller': JSON.stringify({ key: 'k', account: publicId, scopes }) };
    const headers = {
      ...caller,
      ...signRequest(link.secret, { method: 'GET', path, headers: caller, body: null }, now),
    };
    return () => fetch(link.url + path, { headers, tls: { ca: link.certificate } });
  };

  test('serves nothing but health checks on its port', async () => {
    for (const name of everyName)
      expect([name, await statusOf(app.url, name)]).toEqual([name, HEALTH.includes(name) ? 200 : 404]);
  });

  test('serves only the endpoints of the pipeline on its link port, and none of them without a signature', async () => {
    const served = WRITER_ENDPOINTS;
    const paths = new Set(served.map(pathOf));
    for (const name of everyName.filter((each) => !paths.has(pathOf(each)) || served.includes(each)))
      expect([name, await statusOf(link.url, name)]).toEqual([name, served.includes(name) ? 403 : 404]);
  });

  test('has a link port that speaks TLS only, with the announced certificate', async () => {
    expect(link.url).toStartWith('https://');
    await expect(fetch(link.url.replace('https:', 'http:'))).rejects.toThrow();
    await expect(fetch(link.url)).rejects.toThrow('unable to verify');
  });

  test('refuses an unsigned request without waiting for its body', async () => {
    const { hostname, port } = new URL(link.url);
    const answer = Promise.withResolvers<string>();
    const socket = connect({ host: hostname, port: Number(port), ca: link.certificate });
    socket.once('data', (data) => answer.resolve(data.toString()));
    socket.once('secureConnect', () => {
      const head = `POST /ingest/ticks HTTP/1.1\r\nHost: ${hostname}\r\nTransfer-Encoding: chunked\r\n\r\n`;
      socket.write(`${head}5\r\nfirst\r\n`);
    });
    expect(await answer.promise).toStartWith('HTTP/1.1 403');
    socket.destroy();
  });

  test('accepts a signed request once, with the rights of its caller', async () => {
    let accepted = send('/api/feeds', ['admin']);
    // The account is known after the next refresh of the keyring.
    for (let tries = 0; tries < 1_200 && (await accepted()).status === 503; tries++) {
      await Bun.sleep(50);
      accepted = send('/api/feeds', ['admin']);
    }
    expect((await send('/api/feeds', ['admin'])()).status).toBe(200);
    const once = send('/api/feeds', ['admin']);
    expect((await once()).status).toBe(200);
    const again = await once();
    expect([again.status, await again.json()]).toMatchObject([403, { code: 'link_refused' }]);
    expect((await send('/api/feeds', ['read'])()).status).toBe(403);
    expect((await send('/api/feeds', ['admin'], Date.now() - 31_000)()).status).toBe(403);
  });
});
