import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '@tickwire/engine';
import type { ServiceError } from '../errors/service-error.ts';
import { SignInThrottle } from './sign-in-throttle.ts';

const HOME = '192.0.2.1';

const codeOf = (work: () => Promise<unknown>): Promise<string | null> =>
  work().then(
    () => null,
    (error: ServiceError) => error.code,
  );

describe('the sign-in throttle', () => {
  test('does not count an attempt that was not made', async () => {
    const throttle = new SignInThrottle();
    for (let count = 0; count < 100; count++) (await throttle.signIn('ada', HOME, false, 0)).abandon();
    for (let count = 0; count < 5; count++) (await throttle.signIn('ada', HOME, false, 0)).fail();
    expect(await codeOf(() => throttle.signIn('ada', HOME, false, 0))).toBe('too_many_attempts');
  });

  test('an attempt that one limit rejects does not count for the others', async () => {
    const throttle = new SignInThrottle();
    for (let count = 0; count < 5; count++) (await throttle.signIn('ada', HOME, false, 0)).fail();
    for (let count = 0; count < 100; count++) await codeOf(() => throttle.signIn('ada', HOME, false, 0));
    // The address may try 15 other names.
    for (let count = 0; count < 15; count++) (await throttle.signIn(`name ${count}`, HOME, false, 0)).fail();
    expect(await codeOf(() => throttle.signIn('one more', HOME, false, 0))).toBe('too_many_attempts');
  });

  test('limits correct sign-ins by address and by name, too', async () => {
    const throttle = new SignInThrottle();
    for (let count = 0; count < 60; count++) (await throttle.signIn(`name ${count}`, HOME, false, 0)).succeed(0);
    expect(await codeOf(() => throttle.signIn('another', HOME, false, 0))).toBe('too_many_attempts');
    expect(await codeOf(async () => (await throttle.signIn('another', HOME, false, 9_999)).succeed(0))).not.toBeNull();
    expect(await codeOf(async () => (await throttle.signIn('another', HOME, false, 10_000)).succeed(0))).toBeNull();
    for (let count = 0; count < 60; count++) (await throttle.signIn('ada', `198.51.100.${count}`, false, 0)).succeed(0);
    expect(await codeOf(() => throttle.signIn('ada', '198.51.100.200', false, 0))).toBe('too_many_attempts');
    for (let count = 0; count < 60; count++) (await throttle.signIn('bob', HOME, true, 0)).succeed(0);
    expect(await codeOf(() => throttle.signIn('bob', HOME, true, 0))).toBe('too_many_attempts');
  });

  test('limits correct sign-ins of all known networks of a name together', async () => {
    const throttle = new SignInThrottle();
    const from = (network: number, now = 0) =>
      codeOf(async () => (await throttle.signIn('ada', `198.51.100.${network}`, true, now)).succeed(now));
    for (let count = 0; count < 300; count++) expect(await from(count % 100)).toBeNull();
    expect(await from(200)).toBe('too_many_attempts');
    expect(await from(200, 2_000)).toBeNull();
  });

  test('never blocks a known address by attempts from elsewhere or for other names, whatever their number', async () => {
    const throttle = new SignInThrottle();
    const home = async (): Promise<string | null> =>
      codeOf(async () => (await throttle.signIn('ada', HOME, true, 0)).succeed(0));
    for (let count = 0; count < 200; count++) {
      // From the same address for other names, right and wrong, and from elsewhere; the last ones are still being checked.
      await codeOf(async () => (await throttle.signIn(`name ${count}`, HOME, false, 0)).fail());
      await codeOf(async () => (await throttle.signIn(`right ${count}`, HOME, false, 0)).succeed(0));
      await codeOf(() => throttle.signIn('ada', `198.51.100.${count}`, false, 0));
    }
    expect(await home()).toBeNull();
    // Wrong passwords for the same name from there are still limited.
    for (let count = 0; count < 5; count++) (await throttle.signIn('ada', HOME, true, 0)).fail();
    expect(await home()).toBe('too_many_attempts');
  });

  test('wrong attempts do not use up correct sign-ins', async () => {
    const throttle = new SignInThrottle();
    for (let count = 0; count < 100; count++)
      await codeOf(async () => (await throttle.signIn('ada', `198.51.100.${count}`, false, 0)).fail());
    expect(await codeOf(async () => (await throttle.signIn('ada', HOME, true, 0)).succeed(0))).toBeNull();
  });

  test('trusts an address for a day after a correct sign-in', async () => {
    const throttle = new SignInThrottle();
    (await throttle.signIn('bob', '192.0.2.2', false, 0)).fail();
    (await throttle.signIn('ada', HOME, false, 0)).succeed(0);
    expect([HOME, '192.0.2.2'].map((address) => throttle.trusts(address, DAY_MS - 1))).toEqual([true, false]);
    expect(throttle.trusts(HOME, DAY_MS)).toBe(false);
  });

  test('knows which account has signed in from an address', async () => {
    const throttle = new SignInThrottle();
    (await throttle.signIn('ada', HOME, false, 0)).succeed(0);
    expect(['ada', 'bob'].map((name) => throttle.trusts(HOME, 1, name))).toEqual([true, false]);
    expect([throttle.trusts('192.0.2.2', 1, 'ada'), throttle.trusts(HOME, DAY_MS, 'ada')]).toEqual([false, false]);
  });

  test('a correct password without the second factor earns no trust, and is no wrong attempt', async () => {
    const throttle = new SignInThrottle();
    for (let count = 0; count < 10; count++) (await throttle.signIn('ada', HOME, false, 0)).succeed(0, false);
    expect([throttle.trusts(HOME, 1), throttle.trusts(HOME, 1, 'ada')]).toEqual([false, false]);
  });
});
