// Account, session, key and operator calls against a real service.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type RunningService, startService } from 'tickwire/testing/service.fixture.ts';
import { useCheapPasswords } from '../../../server/testing/cheap-passwords.fixture.ts';
import { fakeService } from '../../testing/fake-service.ts';
import { TickwireClient } from '../client.ts';
import type { Fetch } from './request.ts';

useCheapPasswords();

const OWNER = { name: 'The Owner', password: 'correct horse battery' };

let service: RunningService;
let owner: TickwireClient;
/** Keeps the session that it starts. */
const newPage = (): TickwireClient => new TickwireClient({ url: service.url });
const withKey = (apiKey: string | null): TickwireClient => new TickwireClient({ url: service.url, apiKey: apiKey! });
async function expectError(call: Promise<unknown>, code: string): Promise<void> {
  await expect(call).rejects.toMatchObject({ name: 'TickwireError', code });
}

async function signIn(): Promise<TickwireClient> {
  const client = newPage();
  await client.account.signIn(OWNER);
  return client;
}

async function signUp(name: string): Promise<{ readonly client: TickwireClient; readonly id: string }> {
  const { token } = await owner.admin.createInvitation({ tier: 'free' });
  const client = newPage();
  const { id } = await client.account.signUp({ ...OWNER, name, invitation: token! });
  return { client, id };
}

beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  owner = newPage();
  expect(await owner.account.registration()).toEqual({ registration: 'invitation', setup_needed: true });
  const token = new URL(service.app.setupUrl!).searchParams.get('token')!;
  expect(await owner.account.setUp({ token, ...OWNER })).toMatchObject({ name: OWNER.name, owner: true });
});
afterAll(() => service.stop());

describe('a session', () => {
  test('signs in, creates, rotates and revokes a key, and signs out', async () => {
    const client = newPage();
    await expectError(client.account.get(), 'missing_key');
    const { session } = await client.account.signIn(OWNER);
    expect(session).not.toBeNull();
    expect((await client.account.get()).session).toBe(session);

    const first = await client.keys.create({ name: 'bot', expires_days: 90 });
    expect(first).toMatchObject({ name: 'bot', scopes: ['read'], state: 'good' });
    expect(await withKey(first.key).account.get()).toMatchObject({ name: OWNER.name, session: null });

    const second = await client.keys.rotate(first.id, { overlap_hours: 0 });
    await expectError(withKey(first.key).usage(), 'invalid_key');
    expect((await withKey(second.key).usageHistory({ period: 'hour' })).step_seconds).toBe(60);
    const states = async () => new Map((await client.keys.list()).items.map(({ id, state }) => [id, state]));
    expect((await states()).get(second.id)).toBe('good');

    expect((await client.keys.revoke(second.id)).state).toBe('revoked');
    await expectError(withKey(second.key).usage(), 'invalid_key');
    expect((await states()).get(second.id)).toBe('revoked');

    expect(await client.account.signOut()).toEqual({ sessions_ended: 1 });
    await expectError(client.keys.list(), 'missing_key');
  });

  test('stores documents, and refuses a change that is based on an old revision', async () => {
    const { documents } = (await signIn()).account;
    await expectError(documents.get('layout', 'Two charts'), 'document_not_found');
    const value = { charts: ['EURUSD', 'XAUUSD'] };
    expect(await documents.put('layout', 'Two charts', { value })).toMatchObject({ name: 'Two charts', revision: 1 });
    expect(await documents.get('layout', 'Two charts')).toMatchObject({ kind: 'layout', revision: 1, value });
    expect(await documents.put('layout', 'Two charts', { value: {}, revision: 1 })).toMatchObject({ revision: 2 });
    await expectError(documents.put('layout', 'Two charts', { value, revision: 1 }), 'document_conflict');
    expect((await documents.list({ kind: 'layout' })).items).toMatchObject([{ revision: 2, value: {} }]);
    expect((await documents.list()).items[0]).not.toHaveProperty('value');
    expect(await documents.remove('layout', 'Two charts')).toMatchObject({ revision: 2 });
    expect((await documents.list({ values: true })).items).toEqual([]);
  });

  test('lists the sessions of the account and ends one of them, or all', async () => {
    const [here, there] = [await signIn(), await signIn()];
    const other = (await there.account.get()).session!;
    const { items } = await here.account.sessions();
    expect(items.find(({ id }) => id === other)).toMatchObject({ current: false });
    expect(await here.account.revokeSession(other)).toEqual({ sessions_ended: 1 });
    await expectError(there.account.get(), 'invalid_session');

    const name = 'Everywhere';
    const { client, id } = await signUp(name);
    const second = newPage();
    expect((await second.account.signIn({ ...OWNER, name })).id).toBe(id);
    expect(await client.account.signOutEverywhere()).toEqual({ sessions_ended: 2 });
    await expectError(second.account.get(), 'invalid_session');
  });

  test('changes the password and deletes the account with the new one', async () => {
    const name = 'Leaving';
    const { client } = await signUp(name);
    const change = { password: OWNER.password, new_password: 'another long secret' };
    expect(await client.account.changePassword(change)).toEqual({ sessions_ended: 0, keys_revoked: 0 });
    await expectError(client.keys.create({ name: 'bot', scopes: ['read', 'publish'] }), 'confirmation_required');
    const { confirmed_until } = await client.account.confirm({ password: change.new_password });
    expect(Date.parse(confirmed_until)).toBeGreaterThan(Date.now() + 240_000);
    await client.keys.create({ name: 'bot', scopes: ['read', 'publish'] });
    await expectError(client.account.delete({ password: OWNER.password }), 'wrong_password');
    expect(await client.account.delete({ password: change.new_password })).toEqual({
      sessions_ended: 1,
      keys_revoked: 1,
    });
    await expectError(newPage().account.signIn({ name, password: change.new_password }), 'wrong_credentials');
  });

  test('is required by session endpoints, which reject a key', async () => {
    await owner.account.confirm({ password: OWNER.password });
    const { key, id } = await owner.keys.create({ name: 'operator', scopes: ['read', 'admin'] });
    await expectError(withKey(key).account.sessions(), 'session_required');
    expect((await withKey(key).keys.list()).items.map((each) => each.id)).toContain(id);
  });
});

describe('a session that the client keeps', () => {
  test('authenticates streams, until it signs out', async () => {
    const client = await signIn();
    const ticks = client.live.ticks({ symbols: ['EURUSD'], share: false });
    const shared = client.live.ticks({ symbols: ['XAUUSD'] });
    for (const stream of [ticks, shared]) {
      for await (const { state } of stream.states()) if (state === 'live') break;
      stream.close();
    }
    await client.account.signOut();
    await expectError(client.account.get(), 'missing_key');
  });
});

describe('a call without a successful response', () => {
  test('is repeated if it creates a key, and creates only one', async () => {
    let lost = 0;
    const losing: Fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (!url.endsWith('/api/keys') || init.method !== 'POST' || lost++ > 0) return response;
      throw new TypeError('connection reset');
    };
    const client = new TickwireClient({ url: service.url, fetch: losing });
    await client.account.signIn(OWNER);
    const { key } = await client.keys.create({ name: 'only one' });
    expect(lost).toBe(2);
    expect((await withKey(key).account.get()).name).toBe(OWNER.name);
    expect((await client.keys.list()).items.filter(({ name }) => name === 'only one')).toHaveLength(1);
  });

  test('is not repeated if it is a sign-in, even with Retry-After', async () => {
    let attempts = 0;
    const problem = { status: 429, code: 'too_many_attempts', title: 'T', detail: 'D', request_id: 'r', type: 't' };
    await using strict = fakeService({
      rest: () => {
        attempts++;
        return Response.json(problem, { status: 429, headers: { 'Retry-After': '1' } });
      },
    });
    const call = new TickwireClient({ url: strict.url }).account.signIn(OWNER);
    await expect(call).rejects.toMatchObject({ code: 'too_many_attempts', retryAfterSeconds: 1 });
    expect(attempts).toBe(1);
  });
});

describe('operator calls', () => {
  test('invite people, change tiers, disable and enable accounts', async () => {
    const { client, id } = await signUp('Guest');
    const { key } = await client.keys.create({ name: 'bot' });
    expect((await owner.admin.accounts()).items.find((each) => each.id === id)).toMatchObject({
      tier: 'free',
      keys: 1,
    });
    expect((await owner.admin.invitations()).items[0]).toMatchObject({ state: 'used', account: 'Guest' });

    expect((await owner.admin.setTier(id, 'premium')).tier).toBe('premium');
    expect((await withKey(key).usage()).tier).toBe('premium');
    await expectError(owner.admin.setTier(id, 'none-such'), 'invalid_parameter');

    expect(await owner.admin.disable(id)).toMatchObject({ state: 'disabled', sessions: 0 });
    await expectError(withKey(key).usage(), 'invalid_key');
    await expectError(newPage().account.signIn({ ...OWNER, name: 'Guest' }), 'account_disabled');
    expect((await owner.admin.enable(id)).state).toBe('active');
    expect((await withKey(key).usage()).tier).toBe('premium');
    await expectError(client.admin.accounts(), 'invalid_session');
  });

  test('revoke an invitation', async () => {
    const { id, token, link } = await owner.admin.createInvitation({ tier: 'pro', expires_days: 1 });
    expect(link).toBe(`${service.url}/join?token=${token}`);
    expect((await owner.admin.revokeInvitation(id)).state).toBe('revoked');
    await expectError(newPage().account.signUp({ ...OWNER, name: 'Late', invitation: token! }), 'invalid_token');
  });

  test('list open streams', async () => {
    const { key } = await owner.keys.create({ name: 'watcher' });
    const ticks = withKey(key).live.ticks({ symbols: ['EURUSD'] });
    for await (const { state } of ticks.states()) if (state === 'live') break;
    const { items, open } = await owner.admin.streams({ limit: 10 });
    expect(open).toBe(1);
    expect(items).toMatchObject([{ channel: 'ws', account: OWNER.name, subscriptions: 1 }]);
    ticks.close();
  });
});
