// API keys over REST, and usage history.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { type IssuedKey, type KeyInfo, TIERS, type Usage, type UsageHistory } from '@tickwire/contract';
import { DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { useCheapPasswords } from '../../testing/cheap-passwords.fixture.ts';
import { Person, refusal } from '../../testing/person.fixture.ts';
import {
  folderOfBusyAccounts,
  type RunningService,
  startService,
  temporaryFolder,
} from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';

useCheapPasswords();
let service: RunningService;
let owner: Person;
let ada: Person;
beforeAll(async () => {
  const data = folderOfBusyAccounts(600);
  service = await startService({ feeds: 'push', registration: 'open', trusted_proxies: '127.0.0.1', data });
  owner = await Person.owner(service);
  ada = await Person.signedUp(service, 'Ada');
});
afterAll(() => service.stop());

const listed = async (person: Person): Promise<KeyInfo[]> =>
  (await person.read<{ items: KeyInfo[] }>('/api/keys')).items;
const create = (person: Person, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  person.post('/api/keys', body, headers);
const call = (key: string, path = '/api/session', init: RequestInit = {}): Promise<Response> =>
  fetch(service.url + path, { ...init, headers: { 'X-API-Key': key } });

describe('a key', () => {
  test('works as soon as it is created, is shown only once, and reports its last use', async () => {
    const made = await ada.must<IssuedKey>(201, create(ada, { name: 'night bot', expires_days: 90 }));
    expect(made).toMatchObject({ name: 'night bot', scopes: ['read'], state: 'good', last_used_at: null });
    expect(Date.parse(made.expires_at!) - Date.parse(made.created_at)).toBe(90 * DAY_MS);
    expect(made.key).toStartWith(`tw_${made.id}_`);
    expect((await call(made.key!)).status).toBe(200);
    const found = (await listed(ada)).find(({ id }) => id === made.id)!;
    expect(found.last_used_at).toMatch(/:00\.000Z$/);
    expect(JSON.stringify(await listed(ada))).not.toContain(made.key!);
  });

  test('is created once per Idempotency-Key, and shown again to a repeated request', async () => {
    const before = (await listed(ada)).length;
    const same = { 'Idempotency-Key': 'night' };
    const first = await ada.must<IssuedKey>(201, create(ada, { name: 'once' }, same));
    expect(await ada.must<IssuedKey>(201, create(ada, { name: 'once' }, same))).toEqual(first);
    expect(await refusal(create(ada, { name: 'other' }, same))).toEqual([409, 'idempotency_conflict']);
    expect(await listed(ada)).toHaveLength(before + 1);
    for (const file of ['tickwire.db', 'tickwire.db-wal'])
      expect(Buffer.from(await Bun.file(`${service.folder}/${file}`).arrayBuffer()).includes(first.key!)).toBe(false);
  });

  test('is not created twice across a restart either, but is no longer shown', async () => {
    const data = temporaryFolder();
    const first = await startService({ feeds: 'push', data });
    const person = await Person.owner(first);
    const same = { 'Idempotency-Key': 'night' };
    const made = await person.must<IssuedKey>(201, create(person, { name: 'once' }, same));
    await first.stop();
    const second = await startService({ feeds: 'push', data });
    const back = new Person(second, person.address);
    back.cookie = person.cookie;
    expect(await back.must<IssuedKey>(201, create(back, { name: 'once' }, same))).toEqual({ ...made, key: null });
    expect(await listed(back)).toHaveLength(1);
    await second.stop();
    rmSync(data, { recursive: true, force: true });
  });

  test('is rotated with an overlap during which both keys are valid', async () => {
    await ada.confirm();
    const old = await ada.must<IssuedKey>(201, create(ada, { name: 'turning', scopes: ['read', 'hook'] }));
    const rotate = (overlap_hours: unknown, id = old.id) => ada.post(`/api/keys/${id}/rotate`, { overlap_hours });
    const next = await ada.must<IssuedKey>(201, rotate(1));
    expect(next).toMatchObject({ name: 'turning', scopes: ['read', 'hook'] });
    expect([(await call(old.key!)).status, (await call(next.key!)).status]).toEqual([200, 200]);
    const left = Date.parse((await listed(ada)).find(({ id }) => id === old.id)!.expires_at!) - Date.now();
    expect(left).toBeWithin(3_500_000, 3_600_001);
    await ada.must(201, rotate(0, next.id));
    expect(await refusal(call(next.key!))).toEqual([401, 'invalid_key']);
    expect(await refusal(rotate(-1))).toEqual([400, 'invalid_parameter']);
    expect(await refusal(rotate(1, 'none'))).toEqual([404, 'key_not_found']);
  });

  test('is rejected immediately when revoked, and its streams are closed', async () => {
    const made = await ada.must<IssuedKey>(201, create(ada, { name: 'ending' }));
    const stream = await StreamClient.open(`${service.wsUrl}/ws/market`, made.key!);
    const revoked = await ada.must<KeyInfo>(200, ada.post(`/api/keys/${made.id}/revoke`));
    expect(revoked).toMatchObject({ state: 'revoked', revoked_at: expect.any(String) });
    expect(await refusal(call(made.key!))).toEqual([401, 'invalid_key']);
    expect((await stream.closed).code).toBe(4401);
    expect(await refusal(ada.post(`/api/keys/${made.id}/rotate`, { overlap_hours: 1 }))).toEqual([409, 'key_revoked']);
  });

  test('of another account is not found', async () => {
    const made = await owner.must<IssuedKey>(201, create(owner, { name: 'mine' }));
    for (const act of ['revoke', 'rotate'])
      expect(await refusal(ada.post(`/api/keys/${made.id}/${act}`, { overlap_hours: 1 }))).toEqual([
        404,
        'key_not_found',
      ]);
    expect((await listed(ada)).map(({ id }) => id)).not.toContain(made.id);
    expect((await call(made.key!)).status).toBe(200);
  });

  test('of an ordinary account cannot have operator scopes; one of the owner can have any', async () => {
    for (const scope of ['ingest', 'admin'])
      expect(await refusal(create(ada, { name: 'more', scopes: ['read', scope] }))).toEqual([400, 'invalid_parameter']);
    await owner.confirm();
    const made = await owner.must<IssuedKey>(201, create(owner, { name: 'all', scopes: ['read', 'ingest', 'admin'] }));
    expect((await call(made.key!, '/api/feeds')).status).toBe(200);
  });

  test('cannot create keys unless it has the scope admin', async () => {
    const plain = await ada.key(['read', 'publish']);
    expect(await refusal(call(plain, '/api/keys'))).toEqual([403, 'missing_scope']);
    const body = JSON.stringify({ name: 'from a key' });
    expect(await refusal(call(plain, '/api/keys', { method: 'POST', body }))).toEqual([403, 'missing_scope']);
    const admin = await owner.key(['admin', 'read']);
    expect((await call(admin, '/api/keys', { method: 'POST', body })).status).toBe(201);
    expect((await listed(owner)).map(({ name }) => name)).toContain('from a key');
    // Personal endpoints need a session.
    expect(await refusal(call(admin, '/api/account/sessions'))).toEqual([401, 'session_required']);
  });

  test('an invalid request gets an error for each field', async () => {
    for (const body of [
      {},
      { name: ' ' },
      { name: 'x', scopes: [] },
      { name: 'x', scopes: ['all'] },
      { name: 'x', expires_days: 0 },
    ])
      expect(await refusal(create(ada, body))).toEqual([400, 'invalid_parameter']);
  });

  test('is one of at most 100 per account', async () => {
    const person = await Person.signedUp(service, 'Collector');
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async () => (await create(person, { name: 'one of many' })).status),
    );
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect(await refusal(create(person, { name: 'one more' }))).toEqual([409, 'too_many_keys']);
  });
});

describe('usage history', () => {
  const history = (person: Person, period: string): Promise<UsageHistory> =>
    person.read(`/api/usage/history?period=${period}`);

  test('counts requests, errors, AI calls and streams by key, in every period', async () => {
    const person = await Person.signedUp(service, 'Counted');
    const { id, key } = await person.must<IssuedKey>(201, create(person, { name: 'counted' }));
    for (let count = 0; count < 7; count++) await call(key!);
    for (let count = 0; count < 3; count++) await call(key!, '/api/market/NOSUCH');
    await call(key!, '/api/feeds');
    await call(key!, '/api/ai/brief/EURUSD');
    // A stream that will have been open for two seconds at the next sample.
    const { keyring } = service.app;
    const stream = { caller: keyring.authenticate(key!, Date.now()), openedAt: Date.now(), closed: false };
    keyring.usage.sample([stream], Date.now() + 2_000);
    for (const [period, step, points] of [
      ['hour', 60, 60],
      ['day', 3_600, 24],
      ['month', 86_400, 30],
    ] as const) {
      const told = await history(person, period);
      expect([told.period, told.step_seconds, told.points.length]).toEqual([period, step, points]);
      expect(told.limits).toEqual({ ...TIERS.free, requests_per_minute: 600 });
      const ofKey = told.keys.find((each) => each.key === id)!;
      expect(ofKey).toMatchObject({ name: 'counted', requests: 11, errors: 4, ai_calls: 1 });
      expect(ofKey.stream_seconds).toBeWithin(1, 3);
      // The session requested its history, too.
      const ofSession = told.keys.find((each) => each.key === null)!;
      expect(ofSession.requests).toBeGreaterThan(0);
      const sum = told.points.reduce((total, { requests }) => total + requests, 0);
      expect(sum).toBe(ofKey.requests + ofSession.requests);
      const times = told.points.map(({ time }) => Date.parse(time));
      for (const [at, time] of times.entries()) if (at > 0) expect(time - times[at - 1]!).toBe(step * 1000);
      expect(Date.now() - times.at(-1)!).toBeWithin(0, step * 1000 + MINUTE_MS);
    }
  });

  test('separates sessions from keys, and states the limits of each', async () => {
    const person = await Person.signedUp(service, 'Separate');
    const { id, key } = await person.must<IssuedKey>(201, create(person, { name: 'separate' }));
    for (let count = 0; count < 5; count++) await call(key!);
    expect(await history(person, 'hour')).not.toHaveProperty('sessions');
    const told = await history(person, 'hour&detail=true');
    const total = (points: UsageHistory['points']) => points.reduce((sum, { requests }) => sum + requests, 0);
    const { requests: ofKey } = told.keys.find((each) => each.key === id)!;
    const { requests: ofSessions } = told.keys.find((each) => each.key === null)!;
    const { requests_per_minute, streams } = told.limits;
    expect(told.sessions!.limits).toEqual({ requests_per_minute, streams });
    expect(told.sessions!.points.map(({ time }) => time)).toEqual(told.points.map(({ time }) => time));
    expect([total(told.sessions!.points), total(told.points)]).toEqual([ofSessions, ofSessions + ofKey]);
    expect(await person.read('/api/usage?detail=true')).toMatchObject({
      limits_of: 'sessions',
      requests: { limit: requests_per_minute },
    });
    const byKey = (await (await call(key!, '/api/usage?detail=true')).json()) as Usage;
    expect(byKey).toMatchObject({ limits_of: 'keys', requests: { limit: requests_per_minute } });
    expect(await (await call(key!, '/api/usage')).json()).not.toHaveProperty('limits_of');
  });

  test('survives a restart, and old usage is removed', async () => {
    const data = temporaryFolder();
    const first = await startService({ feeds: 'push', data });
    const person = await Person.owner(first);
    for (let count = 0; count < 9; count++) await person.get('/api/session');
    await first.stop();
    const second = await startService({ feeds: 'push', data });
    const back = new Person(second, person.address);
    back.cookie = person.cookie;
    const requests = async () => (await history(back, 'day')).keys[0]?.requests ?? 0;
    expect(await requests()).toBeGreaterThanOrEqual(9);
    await second.app.keyring.usage.prune(Date.now() + 40 * DAY_MS);
    expect(await requests()).toBeLessThan(9);
    await second.stop();
    rmSync(data, { recursive: true, force: true });
  });

  test('an invalid period is rejected by name', async () => {
    expect(await refusal(ada.get('/api/usage/history?period=year'))).toEqual([400, 'invalid_parameter']);
  });
});

test('creations and rotations of a day count together, at the same time and after a revocation', async () => {
  const strict = await startService({
    feeds: 'push',
    registration: 'open',
    trusted_proxies: '127.0.0.1',
    key_creations_per_day: '4',
  });
  try {
    const eager = await Person.signedUp(strict, 'Eager');
    const responses = await Promise.all(Array.from({ length: 6 }, (_, at) => create(eager, { name: `key ${at}` })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 429, 429]);
    const [first] = await listed(eager);
    const rotate = () => eager.post(`/api/keys/${first!.id}/rotate`, { overlap_hours: 1 });
    expect(await refusal(rotate())).toEqual([429, 'key_creations_exhausted']);
    await eager.must(200, eager.post(`/api/keys/${first!.id}/revoke`));
    expect(await refusal(create(eager, { name: 'one more' }))).toEqual([429, 'key_creations_exhausted']);
    const other = await Person.signedUp(strict, 'Other');
    expect((await create(other, { name: 'first' })).status).toBe(201);
  } finally {
    await strict.stop();
  }
});
