// Two-factor sign-in, from set-up to reset, against a running service.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditList, TwoFactorStatus } from '@tickwire/contract';
import { useCheapPasswords } from '../../testing/cheap-passwords.fixture.ts';
import { PASSWORD, Person, refusal } from '../../testing/person.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { appCode, enableTwoFactor } from '../../testing/two-factor.fixture.ts';
import { createLog } from '../ops/log.ts';

useCheapPasswords();
let service: RunningService;
let owner: Person;
beforeAll(async () => {
  service = await startService({ feeds: 'push', registration: 'open', trusted_proxies: '127.0.0.1' });
  owner = await Person.owner(service);
});
afterAll(() => service.stop());

const signIn = (person: Person, name: string, code?: string): Promise<Response> =>
  person.post('/api/account/sign-in', { name, password: PASSWORD, ...(code !== undefined && { code }) });
const post = (person: Person, action: string, body: object): Promise<Response> =>
  person.post(`/api/account/two-factor/${action}`, body);

describe('setting up', () => {
  test('needs the password and a correct code, and returns ten recovery codes once', async () => {
    const ada = await Person.signedUp(service, 'Ada');
    expect(await refusal(post(ada, 'confirm', { code: '123456' }))).toEqual([409, 'two_factor_disabled']);
    expect(await refusal(post(ada, 'set-up', { password: 'not the password' }))).toEqual([403, 'wrong_password']);
    const { secret, uri, qr } = await ada.must<{ secret: string; uri: string; qr: { size: number; path: string } }>(
      200,
      post(ada, 'set-up', { password: PASSWORD }),
    );
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toStartWith(`otpauth://totp/Tickwire:Ada?issuer=Tickwire&secret=${secret}&`);
    expect(qr.path).toMatch(/^M4 4h7v1h-7z(M\d+ \d+h\d+v1h-\d+z)+$/);
    // Not active before it is confirmed.
    expect((await signIn(new Person(service), 'Ada')).status).toBe(200);
    expect(await refusal(post(ada, 'confirm', { code: appCode(secret, 20) }))).toEqual([403, 'wrong_code']);
    const { recovery_codes } = await ada.must<{ recovery_codes: string[] }>(
      200,
      post(ada, 'confirm', { code: appCode(secret) }),
    );
    expect(new Set(recovery_codes).size).toBe(10);
    for (const code of recovery_codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    expect(await ada.read<TwoFactorStatus>('/api/account/two-factor')).toEqual({
      enabled: true,
      enabled_at: expect.any(String),
      recovery_codes_left: 10,
    });
    expect(await refusal(post(ada, 'set-up', { password: PASSWORD }))).toEqual([409, 'two_factor_enabled']);
  });

  test('stores neither the secret nor a recovery code in clear text, and the key only for its owner', async () => {
    const bob = await Person.signedUp(service, 'Bob');
    const { secret, recoveryCodes } = await enableTwoFactor(bob);
    for (const file of ['tickwire.db', 'tickwire.db-wal']) {
      const bytes = Buffer.from(await Bun.file(join(service.folder, file)).arrayBuffer());
      const found = [secret, recoveryCodes[0]!, recoveryCodes[0]!.replaceAll('-', '')].filter((text) =>
        bytes.includes(text),
      );
      expect([file, found]).toEqual([file, []]);
    }
    expect(statSync(join(service.folder, 'two-factor.key')).mode & 0o777).toBe(0o600);
  });
});

describe('signing in', () => {
  test('asks for the code as a second step, after the password', async () => {
    const cy = await Person.signedUp(service, 'Cy');
    const { secret } = await enableTwoFactor(cy);
    const phone = new Person(service);
    expect(await refusal(phone.signIn('Cy', 'not the password'))).toEqual([401, 'wrong_credentials']);
    expect(await refusal(signIn(phone, 'Cy'))).toEqual([401, 'two_factor_required']);
    expect(phone.cookie).toBeNull();
    const code = appCode(secret);
    expect((await signIn(phone, 'Cy', `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
    const { items } = await owner.read<AuditList>('/api/admin/audit?account=Cy&action=code%20requested');
    expect(items).toMatchObject([{ actor: 'anonymous', subject: 'Cy', address: phone.address }]);
  });

  test('accepts each code once, and no earlier one after it', async () => {
    const dan = await Person.signedUp(service, 'Dan');
    const { secret } = await enableTwoFactor(dan);
    const code = appCode(secret, 1);
    const tries = await Promise.all([1, 2, 3].map(() => signIn(new Person(service), 'Dan', code)));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    expect(await refusal(signIn(new Person(service), 'Dan', appCode(secret)))).toEqual([403, 'wrong_code']);
  });

  test('accepts a recovery code once, and records it', async () => {
    const eve = await Person.signedUp(service, 'Eve');
    const { recoveryCodes } = await enableTwoFactor(eve);
    const code = recoveryCodes[3]!.toUpperCase();
    expect((await signIn(new Person(service), 'Eve', code)).status).toBe(200);
    expect(await refusal(signIn(new Person(service), 'Eve', code))).toEqual([403, 'wrong_code']);
    expect(await eve.read<TwoFactorStatus>('/api/account/two-factor')).toMatchObject({ recovery_codes_left: 9 });
    const { items } = await owner.read<AuditList>('/api/admin/audit?account=Eve');
    expect(items.map(({ action }) => action).toReversed()).toEqual([
      'signed up',
      'two-factor enabled',
      'recovery code used',
      'signed in',
      'sign-in failed',
    ]);
  });

  test('limits guesses of a code like guesses of a password', async () => {
    const fay = await Person.signedUp(service, 'Fay');
    const { secret } = await enableTwoFactor(fay);
    const guesser = new Person(service);
    const statuses = [];
    for (let count = 0; count < 6; count++) statuses.push((await signIn(guesser, 'Fay', '000000')).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
    expect((await signIn(guesser, 'Fay', appCode(secret))).status).toBe(429);
  });
});

describe('disabling', () => {
  test('needs the password and a code, and limits guesses', async () => {
    const gil = await Person.signedUp(service, 'Gil');
    const { secret } = await enableTwoFactor(gil);
    const disable = (password: string, code: string) => post(gil, 'disable', { password, code });
    expect(await refusal(disable('not the password', appCode(secret)))).toEqual([403, 'wrong_password']);
    expect(await refusal(disable(PASSWORD, '000000'))).toEqual([403, 'wrong_code']);
    expect(await gil.must<TwoFactorStatus>(200, disable(PASSWORD, appCode(secret)))).toEqual({
      enabled: false,
      enabled_at: null,
      recovery_codes_left: 0,
    });
    expect((await signIn(new Person(service), 'Gil')).status).toBe(200);
    const statuses = [];
    await enableTwoFactor(gil);
    for (let count = 0; count < 4; count++) statuses.push((await disable(PASSWORD, '000000')).status);
    expect(statuses).toEqual([403, 403, 403, 429]);
  });
});

test('with a wrong key, the log says why, the person learns what still works, and no attempt is counted', async () => {
  const first = await startService({ feeds: 'push', trusted_proxies: '127.0.0.1' });
  const { secret, recoveryCodes } = await enableTwoFactor(await Person.owner(first));
  await first.app.stop();
  const wrong = join(first.folder, 'wrong.key');
  writeFileSync(wrong, Buffer.alloc(32, 7).toString('base64'));
  const lines: string[] = [];
  const log = createLog({ level: 'error', plain: false, write: (line) => lines.push(line) });
  const second = await startService(
    { feeds: 'push', trusted_proxies: '127.0.0.1', data: first.folder, two_factor_key: wrong },
    log,
  );
  const person = new Person(second);
  for (let attempt = 0; attempt < 7; attempt++) {
    const response = await signIn(person, 'The Owner', appCode(secret));
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { code: 'store_unavailable', detail: expect.stringContaining('recovery code') },
    ]);
  }
  expect(lines[0]).toContain('wrong.key is not the key of a two-factor secret');
  expect((await signIn(person, 'The Owner', recoveryCodes[0])).status).toBe(200);
  await second.stop();
  rmSync(first.folder, { recursive: true, force: true });
});
