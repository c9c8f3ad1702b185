// Processes are killed while they play replays. In a cluster, another gateway goes on where a session was, with the same messages and
// the same results; the sessions of a single process are gone. Nothing is left behind.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { iso, type ReplaySession } from '@tickwire/contract';
import { HOUR_MS } from '@tickwire/engine';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { eventually, killLeftovers, ServiceProcess } from '../../testing/process.fixture.ts';
import { atScale } from '../../testing/scale.fixture.ts';
import { makeKey, temporaryFolder } from '../../testing/service.fixture.ts';
import { isData, isEvent, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { RedisLink } from '../cluster/redis-link.ts';
import { silentLog } from '../ops/log.ts';
import { SESSION_KEPT_MS } from '../replay/replay-sessions.ts';
import { waitForServices } from './wait-for-services.ts';

const ROUNDS = atScale(3, 20);
/** A Wednesday. */
const FROM = Date.UTC(2026, 2, 4, 12);
const RANGE = { symbols: ['EURUSD', 'XAUUSD'], from: iso(FROM), to: iso(FROM + HOUR_MS) };
const SUBSCRIBE = { action: 'subscribe', symbols: RANGE.symbols, seq: true, ms: true };

const data = temporaryFolder();
afterAll(async () => {
  await killLeftovers();
  rmSync(data, { recursive: true, force: true });
});

/** What an account does at a service. */
class Replayer {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  async send<T = ReplaySession>(url: string, method: string, path: string, body?: object): Promise<T> {
    const init = { method, headers: { 'X-API-Key': this.#key }, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(url + path, init);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  status(url: string, path: string): Promise<number> {
    return fetch(url + path, { headers: { 'X-API-Key': this.#key } }).then(({ status }) => status);
  }

  /** A session with a practice signal that has a note. */
  async practising(url: string, note = ''): Promise<string> {
    const { id } = await this.send(url, 'POST', '/api/replays', RANGE);
    const { bid, ask } = await this.send<{ bid: number; ask: number }>(
      url,
      'GET',
      `/api/market/EURUSD/quote?replay=${id}`,
    );
    const levels = { stop_loss: Number((bid - 0.0008).toFixed(5)), take_profit: Number((ask + 0.0008).toFixed(5)) };
    const order = { symbol: 'EURUSD', direction: 'buy', order: 'market', ...(note && { note }), ...levels };
    await this.send(url, 'POST', `/api/signals?replay=${id}`, order);
    return id;
  }

  open(url: string, id: string): Promise<StreamClient> {
    return StreamClient.open(`${url.replace('http', 'ws')}/ws/market?replay=${id}&lockstep=true`, this.#key);
  }
}

/** Reads a stream in lockstep: the given number of times, or to its end. Returns its data messages. */
async function readTimes(client: StreamClient, from: Message | undefined, times: number): Promise<Message[]> {
  await client.ask({ ...SUBSCRIBE, ...(from && { resume_from: { epoch: from.epoch, seq: from.seq } }) });
  for (let count = 0; count < times; count++) {
    client.send({ action: 'next' });
    const { event } = await client.next((message) => isEvent('waiting')(message) || isEvent('ended')(message));
    if (event === 'ended') break;
  }
  return client.messages.filter(isData);
}

describe.skipIf(!canRunCluster)('a gateway that is killed', () => {
  let cluster: SmallCluster;
  let link: RedisLink;
  let replayer: Replayer;
  beforeAll(async () => {
    const settings = { calendar: 'none', sim_seed: '1', sim_calibration_days: '0' };
    cluster = await SmallCluster.start(settings, 1, { metrics_port: '0' });
    link = await RedisLink.open({ url: cluster.address.redis_url!, name: 'kill-replays', log: silentLog });
    const { access } = cluster.ingest.store;
    const by = { store: access, actor: 'test', now: Date.now() };
    const account = await createAccount(by, 'Replay', 'premium', true);
    const { key } = await issueKey(by, { name: 'replay', scopes: ['read', 'publish'], expiresAt: null, account });
    replayer = new Replayer(key);
    await waitForServices(access, 'the key');
  });
  afterAll(async () => {
    link?.close();
    await cluster?.end();
  });

  const startGateway = (): Promise<ServiceProcess> =>
    ServiceProcess.start({ ...cluster.address, role: 'gateway', data, news: 'none', calendar: 'none' });
  const keysOf = async (): Promise<readonly string[]> =>
    (await cluster.redisKeys()).filter((name) => name.includes('replays:'));
  const record = async (url: string, id: string): Promise<object> => {
    const path = `/api/replays/${id}/record`;
    return { ...(await replayer.send<Record<string, unknown>>(url, 'GET', path)), session: 'any' };
  };

  test('loses no session, no message and no result', async () => {
    const survivor = cluster.gateway.url;
    const reference = await replayer.practising(survivor);
    await replayer.send(survivor, 'PATCH', `/api/replays/${reference}`, { state: 'playing', speed: 'max' });
    const client = await replayer.open(survivor, reference);
    const wanted = await readTimes(client, undefined, Number.POSITIVE_INFINITY);
    client.close();
    const results = await record(survivor, reference);
    expect(wanted.length).toBeGreaterThan(400);
    expect(JSON.stringify(results)).toContain('"signals":1');
    await replayer.send(survivor, 'DELETE', `/api/replays/${reference}`);

    for (let round = 0; round < ROUNDS; round++) {
      const victim = await startGateway();
      const id = await replayer.practising(victim.url);
      await replayer.send(victim.url, 'PATCH', `/api/replays/${id}`, { state: 'playing', speed: 'max' });
      const first = await replayer.open(victim.url, id);
      const seen = await readTimes(first, undefined, 100 + round * 37);
      const before = await replayer.send(victim.url, 'GET', `/api/replays/${id}`);
      await victim.kill();
      await first.closed;
      const after = await replayer.send(survivor, 'GET', `/api/replays/${id}`);
      expect({ ...after, clock: '' }).toEqual({ ...before, clock: '' });
      const second = await replayer.open(survivor, id);
      const rest = await readTimes(second, seen.at(-1), Number.POSITIVE_INFINITY);
      // It may go on a moment before what the stream has seen, with the same messages.
      const last = Number(seen.at(-1)!.seq);
      expect([...seen, ...rest.filter(({ seq }) => Number(seq) > last)]).toEqual(wanted);
      second.close();
      expect(await record(survivor, id)).toEqual(results);
      await replayer.send(survivor, 'DELETE', `/api/replays/${id}`);
    }
    expect(await keysOf()).toEqual([]);
    const metrics = await (await fetch(`${cluster.gateway.metricsUrl}/metrics`)).text();
    expect(metrics).toContain('\ntickwire_replays 0\n');
  }, 600_000);

  test('leaves nothing of a session that nobody uses any longer', async () => {
    const victim = await startGateway();
    const id = await replayer.practising(victim.url);
    await replayer.send(victim.url, 'PATCH', `/api/replays/${id}`, { state: 'playing', speed: 60 });
    await replayer.open(victim.url, id);
    await victim.kill();
    const keys = await keysOf();
    expect(keys.length).toBeGreaterThan(2);
    for (const key of keys) {
      expect(await link.send(['PTTL', key])).toBeWithin(1, SESSION_KEPT_MS + 1);
      // As if that time had passed. Within a millisecond, the request below could still use the session, and so keep it.
      await link.send(['PEXPIRE', key, '0']);
    }
    const survivor = cluster.gateway.url;
    await eventually('its end', async () => (await replayer.status(survivor, `/api/replays/${id}`)) === 404);
    expect(await replayer.send(survivor, 'GET', '/api/replays')).toMatchObject({ count: 0 });
    expect(await keysOf()).toEqual([]);
  }, 120_000);
});

test('a killed service has no session after its start, and of one only what was saved', async () => {
  const folder = join(data, 'single');
  const settings = { data: folder, news: 'none', calendar: 'none' };
  let service = await ServiceProcess.start(settings);
  const { key } = await makeKey(folder, 'premium', ['read', 'publish']);
  await eventually('the key', async () => (await service.get('/api/usage', key)).ok);
  const replayer = new Replayer(key);
  const saved = await replayer.practising(service.url, 'a note that is saved');
  await replayer.send(service.url, 'POST', `/api/replays/${saved}/save`, { name: 'kept' });
  const id = await replayer.practising(service.url, 'a note that is lost');
  await replayer.send(service.url, 'PATCH', `/api/replays/${id}`, { state: 'playing', speed: 'max' });
  const client = await replayer.open(service.url, id);
  await readTimes(client, undefined, 50);
  await service.kill();

  service = await ServiceProcess.start(settings);
  expect(await replayer.send(service.url, 'GET', '/api/replays')).toMatchObject({ count: 0 });
  expect(await replayer.status(service.url, `/api/replays/${id}`)).toBe(404);
  expect(await replayer.send(service.url, 'GET', '/api/practice-records')).toMatchObject({
    count: 1,
    items: [{ name: 'kept' }],
  });
  await service.stop();
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const holding = (text: string): number => files.filter((file) => readFileSync(file).includes(text)).length;
  expect(files.length).toBeGreaterThan(1);
  expect([holding(id), holding('a note that is lost')]).toEqual([0, 0]);
  expect(holding(saved)).toBe(1);
}, 240_000);
