import { describe, expect, test } from 'bun:test';
import { ServiceError } from '../errors/service-error.ts';
import { browserName } from './browser-name.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';
import { hashPassword, Passwords } from './passwords.ts';

/** A hash that is verified in a millisecond, for tests of the queue. The cost of a check is that of the hash. */
const cheapHash = (password: string): Promise<string> =>
  Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 64, timeCost: 1 });

describe('passwords', () => {
  test('are hashed with argon2id and a random salt', async () => {
    const [one, other] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
    expect(one).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$');
    expect(one).not.toBe(other);
    const passwords = new Passwords();
    expect(await passwords.verify('correct horse', one)).toBe(true);
    expect(await passwords.verify('Correct horse', one)).toBe(false);
    expect(await passwords.verify('correct horse', null)).toBe(false);
  });

  test('an overlong password costs no more than others', async () => {
    expect(await new Passwords().verify('x'.repeat(60_000), await hashPassword('correct horse'))).toBe(false);
  });

  test('rejects attempts beyond the queue, and serves the next one afterwards', async () => {
    const passwords = new Passwords();
    const hash = await cheapHash('correct horse');
    const all = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.verify('wrong horse', hash)));
    const refused = all.filter((each) => each.status === 'rejected').map(({ reason }) => reason as ServiceError);
    expect(refused).toHaveLength(8);
    for (const error of refused)
      expect([error instanceof ServiceError, error.code]).toEqual([true, 'too_many_attempts']);
    expect(await passwords.verify('correct horse', hash)).toBe(true);
  });

  test('keep places in the queue for trusted callers', async () => {
    const passwords = new Passwords();
    const hash = await cheapHash('correct horse');
    const flood = Promise.allSettled(Array.from({ length: 60 }, () => passwords.verify('wrong horse', hash)));
    expect(await passwords.verify('correct horse', hash).catch(({ code }) => code)).toBe('too_many_attempts');
    expect(await passwords.verify('correct horse', hash, true)).toBe(true);
    await flood;
  });

  test('the list of common passwords contains only lengths that are allowed', () => {
    for (const password of COMMON_PASSWORDS)
      expect([password, password.length >= 10, password]).toEqual([password, true, password.toLowerCase()]);
    expect(COMMON_PASSWORDS.size).toBeGreaterThan(90);
  });
});

test('a browser is named after its User-Agent', () => {
  const cases: [string | null, string][] = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['curl/8.14.1', 'curl'],
    ['<script>alert(1)</script>', 'another program'],
    [null, 'unknown'],
  ];
  for (const [agent, name] of cases) expect(browserName(agent)).toBe(name);
});
