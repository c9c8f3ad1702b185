// The first start: creating the owner account.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { type Account, LinkCheck, type Registration } from '@tickwire/contract';
import type { z } from 'zod';
import { PASSWORD, Person, refusal } from '../../testing/person.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { hashToken } from '../access/sessions.ts';

const data = temporaryFolder();
let service: RunningService;
const start = () => startService({ data, feeds: 'push', trusted_proxies: '127.0.0.1' });
beforeAll(async () => {
  service = await start();
});
afterAll(async () => {
  await service.stop();
  rmSync(data, { recursive: true, force: true });
});

const tokenOf = ({ app }: RunningService): string => new URL(app.setupUrl!).searchParams.get('token')!;
const state = async (person: Person): Promise<z.infer<typeof Registration>> => person.read('/api/account/registration');

const check = async (person: Person, path: string, token: string): Promise<LinkCheck> =>
  LinkCheck.parse(await person.must(200, person.post(path, { token })));

describe('a service without an owner', () => {
  test('has a setup link with a token of 160 bits, and reports that setup is needed', async () => {
    expect(service.app.setupUrl).toStartWith(`${service.url}/setup?token=`);
    expect(tokenOf(service)).toMatch(/^[0-9a-hjkmnp-tv-z]{32}$/);
    expect(await state(new Person(service))).toEqual({ registration: 'invitation', setup_needed: true });
  });

  test('gets no owner by another token or by signing up', async () => {
    const stranger = new Person(service);
    const person = { name: 'Mallory', password: PASSWORD };
    for (const token of ['', 'x', tokenOf(service).slice(1)])
      expect(await refusal(stranger.post('/api/account/setup', { ...person, token }))).toEqual([403, 'invalid_token']);
    expect(await refusal(stranger.post('/api/account/sign-up', person))).toEqual([403, 'registration_closed']);
    const invitation = tokenOf(service);
    const joined = stranger.post('/api/account/sign-up', { ...person, invitation });
    expect(await refusal(joined)).toEqual([403, 'invalid_token']);
    expect(stranger.cookie).toBeNull();
  });

  test('has a new link after a restart, and the old one is invalid', async () => {
    const old = tokenOf(service);
    await service.stop();
    service = await start();
    expect(tokenOf(service)).not.toBe(old);
    const late = new Person(service);
    const setup = late.post('/api/account/setup', { token: old, name: 'Late', password: PASSWORD });
    expect(await refusal(setup)).toEqual([403, 'invalid_token']);
  });

  test('an invalid password or name does not use up the link', async () => {
    const clumsy = new Person(service);
    for (const [name, password] of [
      ['Ada', 'short'],
      ['<b>', PASSWORD],
    ])
      expect(await refusal(clumsy.post('/api/account/setup', { token: tokenOf(service), name, password }))).toEqual([
        400,
        'invalid_parameter',
      ]);
  });

  test('tells whether a setup link is valid, without using it up or counting a valid check', async () => {
    const person = new Person(service);
    for (let times = 0; times < 30; times++)
      expect(await check(person, '/api/account/setup/check', tokenOf(service))).toEqual({ valid: true });
    for (const token of ['', 'x', tokenOf(service).slice(1)])
      expect(await check(person, '/api/account/setup/check', token)).toEqual({ valid: false, reason: 'unknown' });
    // A setup link is no invitation.
    const joined = check(person, '/api/account/invitation/check', tokenOf(service));
    expect(await joined).toEqual({ valid: false, reason: 'unknown' });
  });

  test('of many parallel setups exactly one succeeds, and the link is used up', async () => {
    const token = tokenOf(service);
    const rivals = Array.from({ length: 4 }, () => new Person(service));
    const responses = await Promise.all(
      rivals.map((rival, at) => rival.post('/api/account/setup', { token, name: `Rival ${at}`, password: PASSWORD })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403]);
    const winner = rivals[responses.findIndex(({ status }) => status === 201)]!;
    expect(await winner.read<Account>('/api/account')).toMatchObject({
      owner: true,
      tier: 'premium',
      scopes: ['read', 'alerts', 'publish', 'admin'],
    });
    expect(await state(winner)).toEqual({ registration: 'invitation', setup_needed: false });
    const used = check(new Person(service), '/api/account/setup/check', token);
    expect(await used).toEqual({ valid: false, reason: 'used' });
    const again = new Person(service).post('/api/account/setup', { token, name: 'Again', password: PASSWORD });
    expect(await refusal(again)).toEqual([403, 'invalid_token']);
  });

  test('prints no link once it has an owner', async () => {
    await service.stop();
    service = await start();
    expect(service.app.setupUrl).toBeNull();
  });
});

describe('a check of an invitation', () => {
  const path = '/api/account/invitation/check';
  let open: RunningService;
  let host: Person;
  beforeAll(async () => {
    open = await startService({ feeds: 'push', trusted_proxies: '127.0.0.1' });
    host = await Person.owner(open);
  });
  afterAll(() => open.stop());

  const invite = () =>
    host.must<{ id: string; token: string }>(201, host.post('/api/admin/invitations', { tier: 'pro' }));

  test('says whether it can be used, and nothing else', async () => {
    const guest = new Person(open);
    const { token } = await invite();
    const response = await guest.post(path, { token });
    expect([response.status, await response.text()]).toEqual([200, '{"valid":true}']);
    await guest.must(201, guest.post('/api/account/sign-up', { name: 'Guest', password: PASSWORD, invitation: token }));
    expect(await check(guest, path, token)).toEqual({ valid: false, reason: 'used' });
    const revoked = await invite();
    await host.must(200, host.post(`/api/admin/invitations/${revoked.id}/revoke`));
    expect(await check(guest, path, revoked.token)).toEqual({ valid: false, reason: 'unknown' });
    expect(await check(guest, path, 'none-such')).toEqual({ valid: false, reason: 'unknown' });
    const late = { id: 'inv_late', hash: hashToken('late'), tier: 'pro', owner: false, createdAt: 1, expiresAt: 2 };
    await open.app.store.access.addInvitation({ ...late, usedAt: null, revokedAt: null, accountId: null });
    expect(await check(guest, path, 'late')).toEqual({ valid: false, reason: 'expired' });
  });

  test('is limited like a sign-up, and not possible from other sites', async () => {
    const guesser = new Person(open);
    const statuses: number[] = [];
    for (let times = 0; times < 25; times++) statuses.push((await guesser.post(path, { token: `t${times}` })).status);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200));
    expect(statuses.slice(20)).toEqual(Array(5).fill(429));
    expect(await refusal(guesser.post(path, { token: 'x' }))).toEqual([429, 'too_many_attempts']);
    const foreign = new Person(open).post(path, { token: 'x' }, { Origin: 'https://evil.example' });
    expect(await refusal(foreign)).toEqual([403, 'foreign_origin']);
    expect(await refusal(new Person(open).post(path, {}))).toEqual([400, 'invalid_parameter']);
  });
});
