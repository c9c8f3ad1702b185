// Changing between simulated and real markets in a running service, started as a user starts it: with the launcher, and without a
// supervisor. Real markets are a fake Kraken; the other venues cannot be reached.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MarketsReport } from '@tickwire/contract';
import { fakeKraken } from '../../testing/feeds/fake-kraken.fixture.ts';
import { FakeVenue } from '../../testing/feeds/fake-venue.fixture.ts';
import { PASSWORD, Person, refusal } from '../../testing/person.fixture.ts';
import { eventually, killLeftovers, runTickwire, ServiceProcess } from '../../testing/process.fixture.ts';
import { atScale } from '../../testing/scale.fixture.ts';
import { type Settings, temporaryFolder } from '../../testing/service.fixture.ts';
import { LIVE_MARKETS } from '../config/feeds.ts';

const NOWHERE = { ws_url: 'ws://127.0.0.1:1', rest_url: 'http://127.0.0.1:1' };
const ADMIN = '/api/admin/markets';
const folders: string[] = [];
let kraken: FakeVenue;
let config: string;
beforeAll(() => {
  kraken = new FakeVenue(fakeKraken(Object.values(LIVE_MARKETS.kraken!)), { heartbeatMs: 100 });
  const nowhere = Object.fromEntries(Object.keys(LIVE_MARKETS).map((name) => [name, NOWHERE]));
  const { wsUrl: ws_url, restUrl: rest_url } = kraken;
  config = join(newFolder(), 'tickwire.json');
  writeFileSync(config, JSON.stringify({ venues: { ...nowhere, kraken: { ws_url, rest_url } } }));
});
afterAll(async () => {
  await killLeftovers();
  await kraken[Symbol.asyncDispose]();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
}

interface Started {
  readonly service: ServiceProcess;
  readonly owner: Person;
  readonly settings: Settings;
  readonly data: string;
}

async function start(given: Settings = {}, args: string[] = []): Promise<Started> {
  const data = newFolder();
  const settings = { config, data, news: 'none', calendar: 'none', ...given };
  const service = await ServiceProcess.start(settings, args);
  const owner = new Person(service);
  const token = /\/setup\?token=(\S+)$/m.exec(service.out)![1];
  await owner.must(201, owner.post('/api/account/setup', { token, name: 'The Owner', password: PASSWORD }));
  return { service, owner, settings, data };
}

const report = async (owner: Person): Promise<MarketsReport | null> => {
  const response = await owner.get(ADMIN).catch(() => null);
  return response?.status === 200 ? ((await response.json()) as MarketsReport) : null;
};
const running = (owner: Person, markets: string): Promise<void> =>
  eventually(markets, async () => {
    const now = await report(owner);
    return now?.markets === markets && now.changing_to === null;
  });
const changeTo = async (owner: Person, markets: string): Promise<void> => {
  const accepted = await owner.must<MarketsReport>(202, owner.put(ADMIN, { markets }));
  expect(accepted.changing_to).toBe(markets as 'live');
  await running(owner, markets);
};
const symbolsOf = async (owner: Person): Promise<string[]> =>
  (await owner.read<{ items: { symbol: string }[] }>('/api/symbols')).items.map(({ symbol }) => symbol);

test('a running service changes to real markets and back, and streams, sessions, keys and commands follow', async () => {
  const { service, owner, settings, data } = await start();
  const { demoKey } = service;
  const stream = await owner.stream();
  stream.send({ action: 'subscribe', symbols: ['EURUSD'] });
  await stream.next((message) => message.event === 'subscribed');
  await changeTo(owner, 'live');
  expect(await stream.closed).toMatchObject({ code: 1012 });
  expect(stream.messages.at(-1)).toMatchObject({ event: 'shutdown' });

  // The session and the demo key are valid at the same address, and the markets are those of the venues.
  const symbols = await symbolsOf(owner);
  expect(symbols).toContain('GOLDUSDC.P');
  expect((await owner.get('/api/session')).headers.get('Data-Source')).toBeNull();
  expect((await service.get('/api/usage', demoKey)).status).toBe(200);
  await eventually('a quote', async () => {
    kraken.quote('BTC/USD');
    return (await service.get('/api/market/BTCUSD/quote', demoKey)).ok;
  });
  const ready = (await (await service.get('/readyz')).json()) as { checks: Record<string, string> };
  expect(Object.keys(ready.checks)).toContain('feed kraken');
  expect(service.out).toContain(`Prices from ${Object.keys(LIVE_MARKETS).join(', ')}`);
  const quotes = await owner.stream();
  quotes.send({ action: 'subscribe', symbols: ['BTCUSD'] });
  const subscribed = await quotes.next((message) => message.event === 'subscribed');
  expect(subscribed.source).toBeUndefined();
  quotes.close();

  // Commands beside the service, with the same settings.
  const { out: checks } = await runTickwire(['doctor'], settings);
  expect(checks).toContain('realm live');
  const copy = join(newFolder(), 'copy');
  expect((await runTickwire(['backup', copy], settings)).status).toBe(0);
  expect([existsSync(join(copy, 'live', 'market.db')), existsSync(join(copy, 'markets.json'))]).toEqual([true, true]);
  const { items } = await owner.read<{ items: { action: string; subject: string }[] }>('/api/admin/audit?limit=100');
  expect(items).toContainEqual(expect.objectContaining({ action: 'markets changed', subject: 'to live' }));

  // A start follows the choice.
  expect((await service.stop()).status).toBe(0);
  const again = await ServiceProcess.start({ ...settings, port: new URL(service.url).port });
  expect(again.out).not.toContain('SIMULATED');
  expect((await report(owner))?.markets).toBe('live');

  await changeTo(owner, 'simulated');
  expect(await symbolsOf(owner)).not.toContain('GOLDUSDC.P');
  expect((await owner.get('/api/session')).headers.get('Data-Source')).toBe('simulated');
  expect(again.out).toContain('SIMULATED MARKETS');
  // Its history and its publishers are those from before.
  await eventually('the publishers', () => again.err.includes('example publishers started'));
  expect(readdirSync(data)).toEqual(expect.arrayContaining(['sim', 'live', 'tickwire.db']));
  expect((await again.stop()).status).toBe(0);
});

test('what sets the feeds is named, and nothing changes', async () => {
  const { service, owner } = await start({ house: 'none' }, ['--live']);
  const refused = await owner.put(ADMIN, { markets: 'simulated' });
  expect(await refused.json()).toMatchObject({
    code: 'markets_fixed',
    detail: 'The feeds are set by --live. Remove that and restart the service to choose the markets here.',
  });
  expect(await report(owner)).toMatchObject({ markets: 'live', changing_to: null, fixed: expect.any(String) });
  expect(await refusal(owner.put(ADMIN, { markets: 'real' }))).toEqual([400, 'invalid_parameter']);
  const guest = new Person(service);
  expect(await refusal(guest.put(ADMIN, { markets: 'live' }))).toEqual([401, 'missing_key']);
  expect(await refusal(service.get(ADMIN, (await readerKey(owner)).key))).toEqual([403, 'missing_scope']);
  await service.stop();
});

const readerKey = (owner: Person): Promise<{ key: string }> =>
  owner.must(201, owner.post('/api/keys', { name: 'reader', scopes: ['read'] }));

test('markets that cannot start give way to those before, with the reason', async () => {
  const { service, owner, data, settings } = await start({ house: 'none' });
  mkdirSync(join(data, 'live'), { recursive: true });
  writeFileSync(join(data, 'live', 'market.db'), 'no database'.repeat(1_000));
  await owner.must(202, owner.put(ADMIN, { markets: 'live' }));
  await eventually('the failure', async () => Boolean((await report(owner))?.failure), 60_000);
  const now = (await report(owner))!;
  expect(now).toMatchObject({ markets: 'simulated', changing_to: null, fixed: null });
  expect(now.failure).toContain('is damaged');
  expect(service.err).toContain('could not start with other markets');
  expect(await symbolsOf(owner)).toContain('XAUUSD');
  expect(readFileSync(join(data, 'markets.json'), 'utf8')).toBe('{"markets":"simulated"}\n');

  // Once the cause is gone, the change works.
  rmSync(join(data, 'live'), { recursive: true });
  await changeTo(owner, 'live');
  expect((await report(owner))?.failure).toBeNull();
  await service.stop();
  expect((await runTickwire(['doctor'], settings)).out).toContain('realm live');
});

test.each(atScale([50, 400], [50, 150, 400, 900]))(
  'a signal %d ms after the request ends the service in order',
  async (ms) => {
    const { service, owner, settings } = await start({ house: 'none' });
    await owner.must(202, owner.put(ADMIN, { markets: 'live' }));
    await Bun.sleep(ms);
    expect((await service.stop()).status).toBe(0);
    // The choice is kept, and the lock of neither market is held.
    const next = await ServiceProcess.start(settings);
    expect(next.out).toContain('Prices from');
    expect((await next.stop()).status).toBe(0);
  },
);

test('twenty changes leave descriptors, threads and memory where they were', async () => {
  const { service, owner } = await start();
  const use = () => {
    const status = readFileSync(`/proc/${service.bunPid}/status`, 'utf8');
    const number = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)![1]);
    const files = readdirSync(`/proc/${service.bunPid}/fd`).length;
    return { files, threads: number('Threads'), megabytes: Math.round(number('VmRSS') / 1024) };
  };
  const round = async (): Promise<void> => {
    await changeTo(owner, 'live');
    await changeTo(owner, 'simulated');
  };
  // The first changes load code and fill caches.
  await round();
  await round();
  const before = use();
  const seen = [before];
  for (let rounds = 0; rounds < 10; rounds++) {
    await round();
    seen.push(use());
  }
  const after = seen.at(-1)!;
  expect(after.files).toBeLessThanOrEqual(before.files + 10);
  expect(after.threads).toBeLessThanOrEqual(before.threads + 6);
  expect(after.megabytes).toBeLessThanOrEqual(before.megabytes + 150);
  await service.stop();
});
