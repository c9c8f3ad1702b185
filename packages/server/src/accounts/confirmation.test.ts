// Privileged steps of a signed-in session need the password again, and keys tell whether their session was revoked.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { AccountReportList, IssuedKey, KeyInfo, KeyList, SessionList } from '@tickwire/contract';
import { useCheapPasswords } from '../../testing/cheap-passwords.fixture.ts';
import { PASSWORD, Person, refusal } from '../../testing/person.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { appCode, enableTwoFactor } from '../../testing/two-factor.fixture.ts';
import { rotateKey } from '../access/issue-key.ts';

useCheapPasswords();
let service: RunningService;
let owner: Person;
beforeAll(async () => {
  service = await startService({ registration: 'open', trusted_proxies: '127.0.0.1' });
  owner = await Person.owner(service);
});
afterAll(() => service.stop());

const REQUIRED: [number, string] = [403, 'confirmation_required'];
const PUBLIC_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const create = (person: Person, scopes: readonly string[]) => person.post('/api/keys', { name: 'bot', scopes });
const confirm = (person: Person, body: object = { password: PASSWORD }) => person.post('/api/account/confirm', body);

describe('a session', () => {
  test('gets no key with a privileged scope before it repeats the password, not even right after the sign-in', async () => {
    for (const scope of ['publish', 'hook', 'ingest', 'admin']) {
      expect([scope, await refusal(create(owner, ['read', scope]))]).toEqual([scope, REQUIRED]);
    }
    await owner.must(201, create(owner, ['read', 'alerts']));
    expect(await refusal(confirm(owner, { password: 'not the password' }))).toEqual([403, 'wrong_password']);
    expect(await refusal(create(owner, ['admin']))).toEqual(REQUIRED);
    const { confirmed_until } = await owner.must<{ confirmed_until: string }>(200, confirm(owner));
    expect(Date.parse(confirmed_until) - Date.now()).toBeWithin(290_000, 300_001);
    const { key } = await owner.must<IssuedKey>(201, create(owner, ['read', 'publish', 'ingest', 'admin']));
    // A key is not asked.
    const headers = { 'X-API-Key': key!, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name: 'of a key', scopes: ['admin'] });
    expect((await fetch(`${service.url}/api/keys`, { method: 'POST', headers, body })).status).toBe(201);
  });

  test('rotates no such key, changes no signing key and downloads no file before', async () => {
    const person = await Person.signedUp(service, 'Rotating');
    const { id } = await person.must<IssuedKey>(201, create(person, ['read']));
    await person.must(201, person.post(`/api/keys/${id}/rotate`, { overlap_hours: 1 }));
    await person.confirm();
    const privileged = await person.must<IssuedKey>(201, create(person, ['publish']));
    const session = (await person.read<SessionList>('/api/account/sessions')).items[0]!.id;
    const { access } = service.app.store;
    const file = '/api/bars/EURUSD?interval=1h&limit=10&format=csv';
    const steps = [
      () => person.post(`/api/keys/${privileged.id}/rotate`, { overlap_hours: 1 }),
      () => person.post('/api/account/signing-key', { public_key: PUBLIC_KEY }),
      () => person.get(file),
    ];
    // Five minutes later.
    await access.confirmSession(session, Date.now() - 1);
    for (const step of steps) expect(await refusal(step())).toEqual(REQUIRED);
    expect((await person.get(file.replace('csv', 'json'))).status).toBe(200);
    await person.confirm();
    for (const step of steps) expect((await step()).ok).toBe(true);
  });

  test('confirms itself and no other session', async () => {
    const home = await Person.signedUp(service, 'Two Places');
    const phone = new Person(service);
    await phone.signIn('Two Places');
    await home.confirm();
    expect((await create(home, ['publish'])).status).toBe(201);
    expect(await refusal(create(phone, ['publish']))).toEqual(REQUIRED);
    expect(await refusal(confirm(new Person(service)))).toEqual([401, 'session_required']);
  });

  test('needs the code, too, for every such step if two-factor sign-in is enabled', async () => {
    const person = await Person.signedUp(service, 'Careful');
    const { secret, recoveryCodes } = await enableTwoFactor(person);
    const change = { password: PASSWORD, new_password: 'another good one', revoke_keys: false };
    for (const [path, body] of [
      ['/api/account/confirm', { password: PASSWORD }],
      ['/api/account/two-factor/disable', { password: PASSWORD }],
      ['/api/account/delete', { password: PASSWORD }],
      ['/api/account/password', change],
    ] as const)
      expect([path, await refusal(person.post(path, body))]).toEqual([path, [401, 'two_factor_required']]);
    expect(await refusal(confirm(person, { password: PASSWORD, code: '000000' }))).toEqual([403, 'wrong_code']);
    await person.must(200, confirm(person, { password: PASSWORD, code: appCode(secret) }));
    expect((await create(person, ['publish'])).status).toBe(201);
    await person.must(200, person.post('/api/account/password', { ...change, code: recoveryCodes[0] }));
  });

  test('cannot guess the password', async () => {
    const person = await Person.signedUp(service, 'Guessed');
    for (let n = 0; n < 5; n++)
      expect(await refusal(confirm(person, { password: `guess ${n}` }))).toEqual([403, 'wrong_password']);
    expect(await refusal(confirm(person))).toEqual([429, 'too_many_attempts']);
  });
});

describe('a key', () => {
  const endings = (person: Person) =>
    person.read<KeyList>('/api/keys').then(({ items }) => items.map((key) => key.session_ended_at !== null));

  test('of a session that was revoked is marked, for its account and for the operator', async () => {
    const home = await Person.signedUp(service, 'Robbed');
    const thief = new Person(service);
    await thief.signIn('Robbed');
    const { id } = await thief.must<IssuedKey>(201, create(thief, ['read']));
    const next = await thief.must<KeyInfo>(201, thief.post(`/api/keys/${id}/rotate`, { overlap_hours: 1 }));
    const link = { name: 'sheet', path: '/api/quotes?format=csv' };
    const made = await thief.must<{ id: string }>(201, thief.post('/api/links', link));
    await home.must(201, create(home, ['read']));
    expect(await endings(home)).toEqual([false, false, false]);
    const { items } = await home.read<SessionList>('/api/account/sessions');
    const stolen = items.find(({ current }) => !current)!;
    await home.must(200, home.post(`/api/account/sessions/${stolen.id}/revoke`));
    expect(await endings(home)).toEqual([true, true, false]);
    const reported = async () =>
      (await owner.read<AccountReportList>('/api/admin/accounts')).items.find(({ name }) => name === 'Robbed')!;
    expect((await reported()).keys_of_revoked_sessions.toSorted()).toEqual([id, next.id, made.id].toSorted());
    await home.must(200, home.post(`/api/keys/${next.id}/revoke`));
    expect((await reported()).keys_of_revoked_sessions.toSorted()).toEqual([id, made.id].toSorted());
  });

  test('that such a key makes later is marked, too', async () => {
    const second = new Person(service);
    await second.signIn('The Owner');
    await second.confirm();
    const { key } = await second.must<IssuedKey>(201, create(second, ['admin']));
    const { items } = await owner.read<SessionList>('/api/account/sessions');
    const other = items.find(({ address }) => address === second.address)!;
    await owner.must(200, owner.post(`/api/account/sessions/${other.id}/revoke`));
    const headers = { 'X-API-Key': key!, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name: 'later' });
    const made = (await (await fetch(`${service.url}/api/keys`, { method: 'POST', headers, body })).json()) as KeyInfo;
    expect(made.session_ended_at).not.toBeNull();
  });

  test('of a session that signs out is marked, of one that expires it is not', async () => {
    const home = await Person.signedUp(service, 'Leaving');
    await home.must(201, create(home, ['read']));
    const thief = new Person(service);
    await thief.signIn('Leaving');
    const { id } = await thief.must<IssuedKey>(201, create(thief, ['read']));
    await thief.must(200, thief.post('/api/account/sign-out'));
    expect(await endings(home)).toEqual([false, true]);
    const { items } = await owner.read<AccountReportList>('/api/admin/accounts');
    expect(items.find(({ name }) => name === 'Leaving')!.keys_of_revoked_sessions).toEqual([id]);
    const session = (await home.read<SessionList>('/api/account/sessions')).items[0]!.id;
    await service.app.store.access.endSessions([session]);
    await home.signIn('Leaving');
    expect(await endings(home)).toEqual([false, true]);
  });

  test('that the command line makes of such a key is marked, too', async () => {
    const person = await Person.signedUp(service, 'Rotated');
    const { id } = await person.must<IssuedKey>(201, create(person, ['read']));
    await person.must(200, person.post('/api/account/sign-out'));
    const { access } = service.app.store;
    const rotated = await rotateKey({ store: access, actor: 'command line', now: Date.now() }, id, 0);
    const [old, replacement] = [await access.key(id), await access.key(rotated.id)];
    expect(replacement!.sessionEndedAt).toBe(old!.sessionEndedAt!);
    expect([replacement!.session, typeof old!.sessionEndedAt]).toEqual([old!.session, 'number']);
  });
});
