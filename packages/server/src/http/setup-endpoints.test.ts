// The first start: creating the owner account.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { Account, Registration } from '@tickwire/contract';
import type { z } from 'zod';
import { PASSWORD, Person, refusal } from '../../testing/person.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';

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
      scopes: ['read', 'publish', 'admin'],
    });
    expect(await state(winner)).toEqual({ registration: 'invitation', setup_needed: false });
    const again = new Person(service).post('/api/account/setup', { token, name: 'Again', password: PASSWORD });
    expect(await refusal(again)).toEqual([403, 'invalid_token']);
  });

  test('prints no link once it has an owner', async () => {
    await service.stop();
    service = await start();
    expect(service.app.setupUrl).toBeNull();
  });
});
