import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '@tickwire/engine';
import type { ServiceError } from '../../errors/service-error.ts';
import { SignInThrottle } from './sign-in-throttle.ts';

const HOME = '192.0.2.1';

const codeOf = (work: () => unknown): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    return (error as ServiceError).code;
  }
};

describe('the sign-in throttle', () => {
  test('does not count an attempt that was not made', () => {
    const throttle = new SignInThrottle();
    for (let count = 0; count < 100; count++) throttle.signIn('ada', HOME, false, 0).abandon();
    for (let count = 0; count < 5; count++) throttle.signIn('ada', HOME, false, 0).fail();
    expect(codeOf(() => throttle.signIn('ada', HOME, false, 0))).toBe('too_many_attempts');
  });

  test('an attempt that one limit rejects does not count for the others', () => {
    const throttle = new SignInThrottle();
    for (let count = 0; count < 5; count++) throttle.signIn('ada', HOME, false, 0).fail();
    for (let count = 0; count < 100; count++) codeOf(() => throttle.signIn('ada', HOME, false, 0));
    // The address may try 15 other names.
    for (let count = 0; count < 15; count++) throttle.signIn(`name ${count}`, HOME, false, 0).fail();
    expect(codeOf(() => throttle.signIn('one more', HOME, false, 0))).toBe('too_many_attempts');
  });

  test('limits correct sign-ins by address and by name, too', () => {
    const throttle = new SignInThrottle();
    for (let count = 0; count < 60; count++) throttle.signIn(`name ${count}`, HOME, true, 0).succeed(0);
    expect(codeOf(() => throttle.signIn('another', HOME, true, 0))).toBe('too_many_attempts');
    expect(codeOf(() => throttle.signIn('another', HOME, true, 10_000).succeed(10_000))).toBeNull();
    for (let count = 0; count < 60; count++) throttle.signIn('ada', `198.51.100.${count}`, true, 0).succeed(0);
    expect(codeOf(() => throttle.signIn('ada', '198.51.100.200', true, 0))).toBe('too_many_attempts');
  });

  test('wrong attempts do not use up correct sign-ins', () => {
    const throttle = new SignInThrottle();
    for (let count = 0; count < 100; count++)
      codeOf(() => throttle.signIn('ada', `198.51.100.${count}`, false, 0).fail());
    expect(codeOf(() => throttle.signIn('ada', HOME, true, 0).succeed(0))).toBeNull();
  });

  test('trusts an address for a day after a correct sign-in', () => {
    const throttle = new SignInThrottle();
    throttle.signIn('bob', '192.0.2.2', false, 0).fail();
    throttle.signIn('ada', HOME, false, 0).succeed(0);
    expect([HOME, '192.0.2.2'].map((address) => throttle.trusts(address, DAY_MS - 1))).toEqual([true, false]);
    expect(throttle.trusts(HOME, DAY_MS)).toBe(false);
  });

  test('knows which account has signed in from an address', () => {
    const throttle = new SignInThrottle();
    throttle.signIn('ada', HOME, false, 0).succeed(0);
    expect(['ada', 'bob'].map((name) => throttle.trusts(HOME, 1, name))).toEqual([true, false]);
    expect([throttle.trusts('192.0.2.2', 1, 'ada'), throttle.trusts(HOME, DAY_MS, 'ada')]).toEqual([false, false]);
  });

  test('a correct password without the second factor earns no trust, and is no wrong attempt', () => {
    const throttle = new SignInThrottle();
    for (let count = 0; count < 10; count++) throttle.signIn('ada', HOME, false, 0).succeed(0, false);
    expect([throttle.trusts(HOME, 1), throttle.trusts(HOME, 1, 'ada')]).toEqual([false, false]);
  });
});
