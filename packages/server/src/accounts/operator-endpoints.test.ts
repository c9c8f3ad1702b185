// The operator endpoints.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { AccountReport, Invitation, StreamReport } from '@tickwire/contract';
import { useCheapPasswords } from '../../testing/cheap-passwords.fixture.ts';
import { PASSWORD, Person, refusal } from '../../testing/person.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';

useCheapPasswords();
let service: RunningService;
let owner: Person;
let ada: Person;
beforeAll(async () => {
  service = await startService({ feeds: 'push', registration: 'open', trusted_proxies: '127.0.0.1' });
  owner = await Person.owner(service);
  ada = await Person.signedUp(service, 'Ada');
});
afterAll(() => service.stop());

const report = async (name: string): Promise<AccountReport> =>
  (await owner.read<{ items: AccountReport[] }>('/api/admin/accounts')).items.find((each) => each.name === name)!;
const act = async (name: string, what: string, body: object = {}): Promise<Response> =>
  owner.post(`/api/admin/accounts/${(await report(name)).id}/${what}`, body);
const withKey = (key: string): Promise<Response> =>
  fetch(`${service.url}/api/session`, { headers: { 'X-API-Key': key } });

describe('accounts', () => {
  test('are listed with tier, last use and usage, including accounts created on the command line', async () => {
    const { key, account } = await service.key('pro');
    for (let count = 0; count < 3; count++) await withKey(key);
    const stream = await StreamClient.open(`${service.wsUrl}/ws/market`, key);
    expect(await report(account.name)).toMatchObject({
      id: account.publicId,
      tier: 'pro',
      owner: false,
      state: 'active',
      signs_in: false,
      last_seen_at: expect.any(String),
      keys: 1,
      sessions: 0,
      streams: 1,
      requests_day: 3,
    });
    expect(await report('The Owner')).toMatchObject({ owner: true, signs_in: true, sessions: 1, tier: 'premium' });
    stream.close();
  });

  test('can get another tier, which takes effect immediately', async () => {
    const key = await ada.key();
    expect((await withKey(key)).headers.get('x-ratelimit-limit')).toBe('60');
    expect(await owner.must<AccountReport>(200, act('Ada', 'tier', { tier: 'pro' }))).toMatchObject({ tier: 'pro' });
    expect((await withKey(key)).headers.get('x-ratelimit-limit')).toBe('120');
    expect(await refusal(act('Ada', 'tier', { tier: 'constructor' }))).toEqual([400, 'invalid_parameter']);
    expect(await refusal(owner.post('/api/admin/accounts/pub_none/tier', { tier: 'pro' }))).toEqual([
      404,
      'account_not_found',
    ]);
  });

  test('are rejected as soon as they are disabled, and accepted again when enabled', async () => {
    const bob = await Person.signedUp(service, 'Bob');
    const key = await bob.key();
    const [keyed, own] = [await StreamClient.open(`${service.wsUrl}/ws/market`, key), await bob.stream()];
    expect(await owner.must(200, act('Bob', 'disable'))).toMatchObject({ state: 'disabled', sessions: 0, keys: 0 });
    expect([(await keyed.closed).code, (await own.closed).code]).toEqual([4401, 4401]);
    expect(await refusal(withKey(key))).toEqual([401, 'invalid_key']);
    expect(await refusal(bob.get('/api/account'))).toEqual([401, 'invalid_session']);
    expect(await refusal(bob.signIn('Bob'))).toEqual([403, 'account_disabled']);
    expect(await refusal(bob.signIn('Bob', 'not the password'))).toEqual([401, 'wrong_credentials']);
    expect(await owner.must(200, act('Bob', 'enable'))).toMatchObject({ state: 'active', keys: 1 });
    expect([(await withKey(key)).status, (await bob.signIn('Bob')).status]).toEqual([200, 200]);
  });

  test('of the owner cannot be disabled', async () => {
    expect(await refusal(act('The Owner', 'disable'))).toEqual([409, 'owner_account']);
  });

  test('are not accessible to other accounts', async () => {
    const { id } = await report('Ada');
    for (const path of ['/api/admin/accounts', '/api/admin/streams', '/api/admin/invitations'])
      expect(await refusal(ada.get(path))).toEqual([403, 'missing_scope']);
    for (const path of [`accounts/${id}/tier`, `accounts/${id}/disable`, 'invitations'])
      expect(await refusal(ada.post(`/api/admin/${path}`, { tier: 'premium' }))).toEqual([403, 'missing_scope']);
    expect((await report('Ada')).tier).toBe('pro');
  });
});

describe('streams', () => {
  const streams = (): Promise<{ items: StreamReport[]; count: number; open: number }> =>
    owner.read('/api/admin/streams');

  test('are listed with account, address and subscriptions', async () => {
    await eventually('those of other tests are gone', async () => (await streams()).open === 0);
    const key = await ada.key();
    const [keyed, own, stranger] = [
      await StreamClient.open(`${service.wsUrl}/ws/orderflow`, key),
      await ada.stream(),
      await StreamClient.open(`${service.wsUrl}/ws/news`),
    ];
    await own.ask({ action: 'subscribe', symbols: ['EURUSD', 'XAUUSD'] });
    const { items, count, open } = await streams();
    expect([count, open]).toEqual([items.length, items.length]);
    const of = (channel: string) => items.find((each) => each.channel === channel);
    expect(of('orderflow')).toMatchObject({ account: 'Ada', key: key.split('_')[1], subscriptions: 0, slow: false });
    expect(of('market')).toMatchObject({
      account: 'Ada',
      key: expect.stringMatching(/^ses_/),
      scopes: ['read', 'alerts', 'publish'],
      address: ada.address,
      subscriptions: 2,
      buffered_bytes: 0,
    });
    expect(of('news')).toMatchObject({ account: null, key: null, scopes: [] });
    expect((await report('Ada')).streams).toBe(2);
    const one = await owner.read<{ count: number; open: number }>('/api/admin/streams?limit=1');
    expect(one).toMatchObject({ count: 1, open });
    for (const stream of [keyed, own, stranger]) stream.close();
  });
});

describe('invitations', () => {
  const invite = (body: object, headers = {}) => owner.post('/api/admin/invitations', body, headers);
  const all = async (): Promise<Invitation[]> =>
    (await owner.read<{ items: Invitation[] }>('/api/admin/invitations')).items;

  test('are created once, listed without tokens, used, and revoked', async () => {
    const once = { 'Idempotency-Key': 'i' };
    const made = await owner.must<Invitation & { token: string }>(201, invite({ tier: 'pro', expires_days: 2 }, once));
    expect(
      await owner.must<Invitation & { token: string }>(201, invite({ tier: 'pro', expires_days: 2 }, once)),
    ).toEqual(made);
    const other = await owner.must<Invitation & { token: string }>(201, invite({ tier: 'free' }));
    expect(JSON.stringify(await all())).not.toContain(made.token);
    const guest = new Person(service);
    const join = (name: string, invitation: string) =>
      guest.post('/api/account/sign-up', { name, password: PASSWORD, invitation });
    await guest.must(201, join('Guest', made.token));
    expect(await owner.must(200, owner.post(`/api/admin/invitations/${other.id}/revoke`))).toMatchObject({
      state: 'revoked',
    });
    expect(await refusal(join('Late Guest', other.token))).toEqual([403, 'invalid_token']);
    const states = new Map((await all()).map(({ id, state, account }) => [id, [state, account]]));
    expect(states.get(made.id)).toEqual(['used', 'Guest']);
    expect(states.get(other.id)).toEqual(['revoked', null]);
    // The owner's setup link is not listed.
    expect(states.size).toBe(2);
  });

  test('with an unknown tier or too long a lifetime are rejected; revoking an unknown one is a 404', async () => {
    for (const body of [{}, { tier: 'gold' }, { tier: 'free', expires_days: 0 }, { tier: 'free', expires_days: 400 }])
      expect(await refusal(invite(body))).toEqual([400, 'invalid_parameter']);
    expect(await refusal(owner.post('/api/admin/invitations/inv_none/revoke'))).toEqual([404, 'invitation_not_found']);
  });
});
