// AccountService: sign-up, password changes, account deletion.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Account } from '@tickwire/contract';
import { useCheapPasswords } from '../../testing/cheap-passwords.fixture.ts';
import { PASSWORD, Person, refusal } from '../../testing/person.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { atMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';
import { StoreError } from '../errors/store-error.ts';

useCheapPasswords();
let service: RunningService;
let owner: Person;
beforeAll(async () => {
  service = await startService({ sim_rate: '500', registration: 'open', trusted_proxies: '127.0.0.1' });
  owner = await Person.owner(service);
});
afterAll(() => service.stop());

const withKey = (key: string, path = '/api/session'): Promise<Response> =>
  fetch(service.url + path, { headers: { 'X-API-Key': key } });

describe('signing up', () => {
  test('creates a signed-in free account; the name is case-insensitive at sign-in', async () => {
    const ada = await Person.signedUp(service, 'Ada');
    expect(await ada.read<Account>('/api/account')).toMatchObject({
      name: 'Ada',
      tier: 'free',
      owner: false,
      scopes: ['read', 'alerts', 'publish'],
      key_scopes: ['read', 'alerts', 'publish', 'hook'],
      session: expect.stringMatching(/^ses_/),
    });
    const elsewhere = new Person(service);
    expect((await elsewhere.signIn(' ADA ')).status).toBe(200);
    expect(elsewhere.cookie).not.toBe(ada.cookie);
  });

  test('rejects a name that is taken or looks like a public id', async () => {
    await Person.signedUp(service, 'Bob');
    const rival = new Person(service);
    const sign = (name: string) => refusal(rival.post('/api/account/sign-up', { name, password: PASSWORD }));
    expect(await sign('bob')).toEqual([409, 'name_taken']);
    expect(await sign('pub_0123456789abcdef')).toEqual([400, 'invalid_parameter']);
    expect(await sign('a\u0000b')).toEqual([400, 'invalid_parameter']);
  });

  test('rejects names that look like another one or seem to speak for the service', async () => {
    await Person.signedUp(service, 'Alice Cooper');
    const sign = (name: string) =>
      refusal(new Person(service).post('/api/account/sign-up', { name, password: PASSWORD }));
    for (const name of ['Аlice Cooper', 'AIice C00per', 'Ａｌｉｃｅ Cooper', 'Alice  Cooper'])
      expect([name, await sign(name)]).toEqual([name, [409, 'name_taken']]);
    for (const name of ['admin', 'Admin', 'аdmin', 'ADMlN', 'operator', 'Оperator', 'Tick-Wire', 'ｒｏｏｔ'])
      expect([name, await sign(name)]).toEqual([name, [409, 'name_taken']]);
    for (const name of ['Al\u200bice', 'Alice\u3164', '\u115fAlice', 'Ali\u00adce', 'x'.repeat(49), 'ﷺﷺﷺ'])
      expect([name, await sign(name)]).toEqual([name, [400, 'invalid_parameter']]);
  });

  test('stores a name in its compatibility form, and finds it in any form', async () => {
    const person = await Person.signedUp(service, 'Ｗｉｄｅ Desk');
    expect(await person.read<Account>('/api/account')).toMatchObject({ name: 'Wide Desk' });
    for (const name of ['Ｗｉｄｅ Desk', 'wide desk'])
      expect((await new Person(service).signIn(name)).status).toBe(200);
  });

  test.each([
    ['too short', 'a-b-c-d-e'],
    ['too long', 'ab'.repeat(101)],
    ['among the commonest', 'Password123'],
    ['the name itself', 'CAROLINE WEBER'],
    ['of two characters', 'ababababababab'],
  ])('rejects a password that is %s, without repeating it in the error', async (_, password) => {
    const response = await new Person(service).post('/api/account/sign-up', { name: 'Caroline Weber', password });
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'password', value: null }],
    });
    expect(text).not.toContain(password);
  });

  test('counts a password in characters and normalizes accents', async () => {
    const name = 'Zoë';
    const person = new Person(service);
    await person.must(201, person.post('/api/account/sign-up', { name, password: 'pässwörter 🐎'.normalize('NFC') }));
    expect((await new Person(service).signIn(name, 'pässwörter 🐎'.normalize('NFD'))).status).toBe(200);
  });

  test('by invitation: one account per invitation, with its tier', async () => {
    const invited = await startService({ feeds: 'push', trusted_proxies: '127.0.0.1' });
    const host = await Person.owner(invited);
    const { token, link } = await host.must<{ token: string; link: string }>(
      201,
      host.post('/api/admin/invitations', { tier: 'pro' }),
    );
    expect(link).toBe(`${invited.url}/join?token=${token}`);
    const guest = new Person(invited);
    const join = (name: string, invitation?: string) =>
      guest.post('/api/account/sign-up', { name, password: PASSWORD, invitation });
    expect(await refusal(join('Guest'))).toEqual([403, 'registration_closed']);
    expect(await refusal(join('Guest', 'none-such'))).toEqual([403, 'invalid_token']);
    expect(await guest.must(201, join('Guest', token))).toMatchObject({ name: 'Guest', tier: 'pro', owner: false });
    expect(await refusal(join('Second', token))).toEqual([403, 'invalid_token']);
    await invited.stop();
  });

  test('closed: rejects sign-ups even with an invitation', async () => {
    const closed = await startService({ feeds: 'push', registration: 'closed' });
    const host = await Person.owner(closed);
    const { token } = await host.must<{ token: string }>(201, host.post('/api/admin/invitations', { tier: 'pro' }));
    const guest = new Person(closed).post('/api/account/sign-up', { name: 'G', password: PASSWORD, invitation: token });
    expect(await refusal(guest)).toEqual([403, 'registration_closed']);
    await closed.stop();
  });
});

describe('a password', () => {
  test('can be changed with the current password, which ends the other sessions', async () => {
    const home = await Person.signedUp(service, 'Changer');
    const phone = new Person(service);
    await phone.signIn('Changer');
    const change = (password: string, new_password: string) =>
      home.post('/api/account/password', { password, new_password });
    expect(await refusal(change('not the password', 'another good one'))).toEqual([403, 'wrong_password']);
    expect(await refusal(change(PASSWORD, 'changer'))).toEqual([400, 'invalid_parameter']);
    expect(await home.must(200, change(PASSWORD, 'another good one'))).toEqual({
      sessions_ended: 1,
      keys_revoked: 0,
    } as never);
    expect((await home.get('/api/account')).status).toBe(200);
    expect(await refusal(phone.get('/api/account'))).toEqual([401, 'invalid_session']);
    expect(await refusal(phone.signIn('Changer'))).toEqual([401, 'wrong_credentials']);
    expect((await phone.signIn('Changer', 'another good one')).status).toBe(200);
  });

  test('can be changed without a revocation of all keys, which is the default', async () => {
    const person = await Person.signedUp(service, 'Suspicious');
    const [key, other] = [await person.key(), await person.key()];
    const change = { password: PASSWORD, new_password: 'another good one', revoke_keys: false };
    expect(await person.must(200, person.post('/api/account/password', change))).toEqual({
      sessions_ended: 0,
      keys_revoked: 0,
    } as never);
    expect((await withKey(key)).status).toBe(200);
    const again = { password: 'another good one', new_password: 'a third good one' };
    expect(await person.must(200, person.post('/api/account/password', again))).toEqual({
      sessions_ended: 0,
      keys_revoked: 2,
    } as never);
    for (const each of [key, other]) expect(await refusal(withKey(each))).toEqual([401, 'invalid_key']);
  });

  test('is not stored in plain text, nor is a session token', async () => {
    const person = await Person.signedUp(service, 'Secretive');
    const token = person.cookie!.split('=')[1]!;
    await service.app.keyring.save();
    for (const file of ['tickwire.db', 'tickwire.db-wal']) {
      const bytes = Buffer.from(await Bun.file(`${service.folder}/${file}`).arrayBuffer());
      expect([file, bytes.includes(PASSWORD), bytes.includes(token)]).toEqual([file, false, false]);
    }
  });
});

test('sign-in answers 503 while the store fails, and starts no session', async () => {
  const { access } = service.app.store;
  const { passwordOf, addSession } = access;
  const person = await Person.signedUp(service, 'Unlucky');
  const failing = () => Promise.reject(new StoreError('locked'));
  access.passwordOf = failing;
  expect(await refusal(person.signIn('Unlucky'))).toEqual([503, 'store_unavailable']);
  access.passwordOf = passwordOf;
  access.addSession = failing;
  const other = new Person(service);
  expect(await refusal(other.signIn('Unlucky'))).toEqual([503, 'store_unavailable']);
  expect(other.cookie).toBeNull();
  access.addSession = addSession;
  expect((await other.signIn('Unlucky')).status).toBe(200);
});

describe('deleting an account', () => {
  test('requires the password, revokes keys, closes streams and keeps the name taken', async () => {
    const person = await Person.signedUp(service, 'Goner');
    const key = await person.key();
    const { id } = await person.read<Account>('/api/account');
    const signal = await person.must<{ id: string }>(
      201,
      person.post('/api/signals', await atMarket(await TestPublisher.of(service))),
    );
    const publishers = async (): Promise<string[]> =>
      (await owner.read<{ items: { name: string }[] }>('/api/publishers?limit=200')).items.map(({ name }) => name);
    expect(await publishers()).toContain('Goner');
    const [keyed, own] = [await StreamClient.open(`${service.wsUrl}/ws/market`, key), await person.stream()];
    expect(await refusal(person.post('/api/account/delete', { password: 'wrong password' }))).toEqual([
      403,
      'wrong_password',
    ]);
    const gone = await person.must(200, person.post('/api/account/delete', { password: PASSWORD }));
    expect(gone).toEqual({ sessions_ended: 1, keys_revoked: 1 } as never);
    expect([(await keyed.closed).code, (await own.closed).code]).toEqual([4401, 4401]);
    expect(person.cookie).toBeNull();
    expect(await refusal(withKey(key))).toEqual([401, 'invalid_key']);
    expect(await refusal(new Person(service).signIn('Goner'))).toEqual([401, 'wrong_credentials']);
    const again = new Person(service).post('/api/account/sign-up', { name: 'goner', password: PASSWORD });
    expect(await refusal(again)).toEqual([409, 'name_taken']);
    // The signal stays, under the public id.
    expect(await owner.read(`/api/signals/${signal.id}`)).toMatchObject({ user: id, publisher: id });
    const { items } = await owner.read<{ items: { id: string; user: string }[] }>('/api/signals?limit=500');
    expect(items.find((each) => each.id === signal.id)?.user).toBe(id);
    expect(await publishers()).not.toContain('Goner');
    expect(await publishers()).toContain(id);
    expect(await owner.read(`/api/publishers/${id}`)).toMatchObject({ name: id, publisher: id });
    expect(await refusal(owner.get('/api/publishers/Goner'))).toEqual([404, 'publisher_not_found']);
    const listed = await owner.read<{ items: { id: string }[] }>('/api/admin/accounts');
    expect(listed.items.map((each) => each.id)).not.toContain(id);
  });

  test('is not possible for the owner', async () => {
    expect(await refusal(owner.post('/api/account/delete', { password: PASSWORD }))).toEqual([409, 'owner_account']);
  });
});

test('account changes are recorded in the audit log', async () => {
  await eventually('all actions', async () => {
    const actions = new Set((await service.app.store.access.auditLog({ limit: 1_000 })).map(({ action }) => action));
    return ['owner created', 'signed up', 'password changed', 'account deleted', 'key created'].every((action) =>
      actions.has(action),
    );
  });
});
