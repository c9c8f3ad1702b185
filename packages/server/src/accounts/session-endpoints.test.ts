// Signed-in sessions: permissions, limits, listing and ending.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { Account, KeyList, SessionInfo, Usage } from '@tickwire/contract';
import { HOUR_MS } from '@tickwire/engine';
import { useCheapPasswords } from '../../testing/cheap-passwords.fixture.ts';
import { Person, refusal } from '../../testing/person.fixture.ts';
import { atMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';

useCheapPasswords();
let service: RunningService;
let owner: Person;
beforeAll(async () => {
  service = await startService({ sim_rate: '500', registration: 'open', trusted_proxies: '127.0.0.1' });
  owner = await Person.owner(service);
});
afterAll(() => service.stop());

const sessionsOf = async (person: Person): Promise<SessionInfo[]> =>
  (await person.read<{ items: SessionInfo[] }>('/api/account/sessions')).items;
const withKey = (key: string, path = '/api/session'): Promise<Response> =>
  fetch(service.url + path, { headers: { 'X-API-Key': key } });

describe('a session', () => {
  test('has the limits of the tier once more, apart from the keys', async () => {
    const person = await Person.signedUp(service, 'Once More');
    const response = await person.get('/api/usage');
    expect(response.headers.get('x-ratelimit-limit')).toBe('60');
    const usage = (await response.json()) as Usage;
    expect(usage).toMatchObject({
      account: 'Once More',
      tier: 'free',
      scopes: ['read', 'alerts', 'publish'],
      requests: { limit: 60, remaining: 59 },
      streams: { limit: 2 },
      ai_calls: { limit: 5 },
    });
    // The allowance of the account's keys is untouched.
    expect((await withKey(await person.key())).headers.get('x-ratelimit-remaining')).toBe('59');
  });

  test('is limited to the requests per minute of the tier, without affecting the keys of the account', async () => {
    const person = await Person.signedUp(service, 'Busy');
    const key = await person.key();
    let last = await person.get('/api/session');
    for (let count = 0; last.status === 200 && count < 70; count++) last = await person.get('/api/session');
    expect([last.status, last.headers.get('retry-after')]).toEqual([429, expect.any(String)]);
    expect(((await last.json()) as { detail: string }).detail).toStartWith(
      'For all sessions of an account together, the free tier allows 60 requests',
    );
    expect((await withKey(key)).status).toBe(200);
  });

  test('may open the streams of the tier from a page of the service; streams of keys do not count', async () => {
    const person = await Person.signedUp(service, 'Streamer');
    const streams = await Promise.all(Array.from({ length: 2 }, () => person.stream()));
    expect(await streams[1]!.ask({ action: 'subscribe', symbols: ['EURUSD'] })).toMatchObject({ event: 'subscribed' });
    const surplus = await person.stream();
    expect((await surplus.closed).code).toBe(4429);
    const keyed = await StreamClient.open(`${service.wsUrl}/ws/market`, await person.key());
    expect(await keyed.ask({ action: 'ping' })).toMatchObject({ event: 'pong' });
    for (const stream of [...streams, keyed]) stream.close();
  });

  test('publishes and closes signals under the name of its account, idempotently with a key', async () => {
    const person = await Person.signedUp(service, 'Session Desk');
    const terms = await atMarket(await TestPublisher.of(service));
    const signal = await person.must<{ id: string; user: string }>(
      201,
      person.post('/api/signals', terms, { 'Idempotency-Key': 'one' }),
    );
    expect(signal.user).toBe('Session Desk');
    const close = () => person.post(`/api/signals/${signal.id}/close`, {}, { 'Idempotency-Key': 'two' });
    const [first, second] = [await person.must(200, close()), await person.must(200, close())];
    expect(second).toEqual(first);
  });

  test('shares the AI calls of its account', async () => {
    const person = await Person.signedUp(service, 'Asker');
    const key = await person.key();
    for (let count = 0; count < 5; count++)
      expect((await person.post('/api/ai/sentiment', { text: 'Gold rises', model: 'local' })).status).toBe(200);
    expect(await refusal(withKey(key, '/api/ai/brief/EURUSD'))).toEqual([429, 'ai_calls_exhausted']);
    expect(await person.read('/api/usage')).toMatchObject({ ai_calls: { used: 5, remaining: 0 } });
  });

  test('cannot do what its account may not do', async () => {
    const person = await Person.signedUp(service, 'Small');
    expect(await refusal(person.get('/api/feeds'))).toEqual([403, 'missing_scope']);
    expect(await refusal(person.get('/api/admin/accounts'))).toEqual([403, 'missing_scope']);
    expect((await owner.get('/api/feeds')).status).toBe(200);
    expect(await refusal(person.post('/ingest/ticks'))).toEqual([403, 'missing_scope']);
  });

  test('survives a restart of the service', async () => {
    const data = temporaryFolder();
    const other = await startService({ feeds: 'push', data });
    const person = await Person.owner(other);
    await other.stop();
    const again = await startService({ feeds: 'push', data });
    const back = new Person(again, person.address);
    back.cookie = person.cookie;
    expect(await back.read<Account>('/api/account')).toMatchObject({ owner: true });
    await again.stop();
    rmSync(data, { recursive: true, force: true });
  });

  test('is listed with browser and address, and can be ended individually', async () => {
    const home = await Person.signedUp(service, 'Lister');
    const phone = new Person(service);
    await phone.signIn('Lister');
    const stream = await phone.stream();
    const [first, second] = await sessionsOf(home);
    expect(first).toMatchObject({ current: true, browser: 'Firefox on Linux', address: home.address });
    expect(second).toMatchObject({ current: false, address: phone.address });
    expect(Date.parse(second!.expires_at) - Date.now()).toBeWithin(11.9 * HOUR_MS, 12.1 * HOUR_MS);
    expect(await home.must(200, home.post(`/api/account/sessions/${second!.id}/revoke`))).toEqual({
      sessions_ended: 1,
    } as never);
    expect((await stream.closed).code).toBe(4401);
    expect(await refusal(phone.get('/api/account'))).toEqual([401, 'invalid_session']);
    // The response removed the cookie.
    expect(phone.cookie).toBeNull();
    expect(await refusal(home.post(`/api/account/sessions/${second!.id}/revoke`))).toEqual([404, 'session_not_found']);
  });

  test('of another account cannot be ended', async () => {
    const [one, other] = [await Person.signedUp(service, 'One'), await Person.signedUp(service, 'Other')];
    const [session] = await sessionsOf(other);
    expect(await refusal(one.post(`/api/account/sessions/${session!.id}/revoke`))).toEqual([404, 'session_not_found']);
    expect((await other.get('/api/account')).status).toBe(200);
  });

  test('ends by signing out; signing out everywhere ends all', async () => {
    const home = await Person.signedUp(service, 'Leaver');
    const phone = new Person(service);
    await phone.signIn('Leaver');
    const kept = phone.cookie;
    expect(await phone.must(200, phone.post('/api/account/sign-out'))).toEqual({ sessions_ended: 1 } as never);
    expect(phone.cookie).toBeNull();
    phone.cookie = kept;
    expect(await refusal(phone.get('/api/account'))).toEqual([401, 'invalid_session']);
    await phone.signIn('Leaver');
    expect(await home.must(200, home.post('/api/account/sign-out-everywhere'))).toEqual({ sessions_ended: 2 } as never);
    expect(await refusal(phone.get('/api/account'))).toEqual([401, 'invalid_session']);
    expect(await refusal(home.get('/api/account/sessions'))).toEqual([401, 'session_required']);
  });

  test('ends if it is the least recently used one when a twenty-first starts, and marks its keys', async () => {
    const first = await Person.signedUp(service, 'Many');
    await first.must(201, first.post('/api/keys', { name: 'made before', scopes: ['read'] }));
    const rest = [];
    for (let count = 0; count < 20; count++) {
      const person = new Person(service);
      await person.signIn('Many');
      rest.push(person);
    }
    expect(await refusal(first.get('/api/account'))).toEqual([401, 'invalid_session']);
    expect(await sessionsOf(rest[0]!)).toHaveLength(20);
    const { items } = await rest[0]!.read<KeyList>('/api/keys');
    expect(items.map((key) => key.session_ended_at !== null)).toEqual([true]);
  });
});
