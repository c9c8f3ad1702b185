// The end of keys, sessions and accounts takes effect within a second, as docs/security.md and docs/accounts.md promise.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { IssuedKey } from '@tickwire/contract';
import { anotherKey, changeTier, revoke } from '../../testing/access.fixture.ts';
import { EventClient } from '../../testing/event-client.fixture.ts';
import { startWatch } from '../../testing/event-loop.fixture.ts';
import { PASSWORD, Person } from '../../testing/person.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { isEvent, StreamClient } from '../../testing/stream-client.fixture.ts';

const LIMIT_MS = 1_000;
let service: RunningService;
beforeAll(async () => {
  service = await startService({ feeds: 'push', registration: 'open', trusted_proxies: '127.0.0.1' });
});
afterAll(() => service.stop());

const get = (key: string): Promise<Response> => fetch(`${service.url}/api/session`, { headers: { 'X-API-Key': key } });
const stream = (key: string, path = '/ws/market'): Promise<StreamClient> =>
  StreamClient.open(service.wsUrl + path, key);
async function expectWithinSecond(work: () => Promise<unknown>, passed = startWatch()): Promise<void> {
  await work();
  expect(passed()).toBeLessThan(LIMIT_MS);
}
const closed = async (...streams: readonly StreamClient[]): Promise<void> => {
  for (const each of streams) expect((await each.closed).code).toBe(4401);
};

test('a key that the command line revokes is rejected, and its streams are closed', async () => {
  const issued = await service.key('premium');
  const sockets = await Promise.all(
    ['/ws/market', '/ws/orderflow', '/ws/signals', '/ws'].map((path) => stream(issued.key, path)),
  );
  const events = await EventClient.open(`${service.url}/sse?channels=news`, { 'X-API-Key': issued.key });
  await events.next(isEvent('subscribed'));
  const passed = startWatch();
  await revoke(service.folder, issued);
  await expectWithinSecond(async () => {
    await closed(...sockets);
    await events.closed;
    await eventually('a 401', async () => (await get(issued.key)).status === 401);
  }, passed);
});

test('a key that expires is rejected, and its streams are closed', async () => {
  const { account } = await service.key('premium');
  const expiresAt = Date.now() + 3_000;
  const passed = startWatch();
  const { key } = await anotherKey(service.folder, account, expiresAt);
  await service.app.keyring.refresh();
  expect((await get(key)).status).toBe(200);
  await closed(await stream(key));
  expect(Date.now() - expiresAt).toBeGreaterThan(-20);
  expect(passed()).toBeLessThan(3_000 + LIMIT_MS);
  expect((await get(key)).status).toBe(401);
});

test('another tier takes effect', async () => {
  const issued = await service.key('free');
  const limit = async (): Promise<string | null> => (await get(issued.key)).headers.get('x-ratelimit-limit');
  expect(await limit()).toBe('60');
  await changeTier(service.folder, issued, 'pro');
  await expectWithinSecond(() => eventually('120', async () => (await limit()) === '120'));
});

test('streams are closed when their key or session is revoked over REST, or their account is deleted', async () => {
  const home = await Person.signedUp(service, 'Goner');
  const phone = new Person(service);
  await phone.signIn('Goner');
  const { id, key } = await home.must<IssuedKey>(201, home.post('/api/keys', { name: 'ending', scopes: ['read'] }));
  const keyed = await stream(key!);
  await home.must(200, home.post(`/api/keys/${id}/revoke`));
  await expectWithinSecond(() => closed(keyed));

  const own = await phone.stream();
  const { items } = await home.read<{ items: { id: string; current: boolean }[] }>('/api/account/sessions');
  const other = items.find(({ current }) => !current)!;
  await home.must(200, home.post(`/api/account/sessions/${other.id}/revoke`));
  await expectWithinSecond(() => closed(own));

  const last = await home.stream();
  await home.must(200, home.post('/api/account/delete', { password: PASSWORD }));
  await expectWithinSecond(() => closed(last));
});
