import { afterEach, describe, expect, test } from 'bun:test';
import { CutLink } from '../../testing/cut-link.fixture.ts';
import { redisForTests } from '../../testing/external-services.fixture.ts';
import { RedisSandbox } from '../../testing/redis-sandbox.fixture.ts';
import { SignInThrottle } from '../access/sign-in-throttle.ts';
import type { ServiceError } from '../errors/service-error.ts';
import { SharedAttempts } from './shared-attempts.ts';

const url = await redisForTests();

describe.skipIf(!url)('the sign-in throttle of a cluster', () => {
  let sandbox = new RedisSandbox(url!);
  afterEach(async () => {
    await sandbox.end();
    sandbox = new RedisSandbox(url!);
  });
  async function gateway() {
    const link = new CutLink(await sandbox.link());
    return { link, throttle: new SignInThrottle(new SharedAttempts(link, sandbox.keys)) };
  }
  const gateways = async (count: number) => Promise.all(Array.from({ length: count }, gateway));
  /** How many of 100 attempts the gateways let through, one after the other in turn. */
  async function granted(attempt: (index: number) => Promise<unknown>): Promise<number> {
    let passed = 0;
    for (let index = 0; index < 100; index++)
      passed += await attempt(index).then(
        () => 1,
        () => 0,
      );
    return passed;
  }

  test('one name from one address gets as many attempts through four gateways as through one', async () => {
    const four = await gateways(4);
    const now = Date.now();
    const attempt = (index: number) => four[index % 4]!.throttle.signIn('anna', '192.0.2.1', false, now);
    expect(await granted(attempt)).toBe(5);
    const fifth = (await gateway()).throttle;
    const refused = await fifth.signIn('anna', '192.0.2.1', false, now).catch((error: ServiceError) => error);
    expect(refused).toMatchObject({ code: 'too_many_attempts' });
    expect((refused as ServiceError).options.retryAfterSeconds).toBeWithin(1, 31);
  });

  test('one address gets as many names, and one name as many addresses, as in a single process', async () => {
    const four = await gateways(4);
    const now = Date.now();
    expect(await granted((index) => four[index % 4]!.throttle.signIn(`n${index}`, '192.0.2.1', false, now))).toBe(20);
    const from = (index: number): string => `198.51.100.${index}`;
    expect(await granted((index) => four[index % 4]!.throttle.signIn('anna', from(index), false, now))).toBe(30);
    // Not from a network the account has a session from: nobody can lock another person out.
    await four[0]!.throttle.signIn('anna', '203.0.113.1', true, now);
  });

  test('registrations and repeated passwords are counted across gateways', async () => {
    const two = await gateways(2);
    const now = Date.now();
    expect(await granted((index) => two[index % 2]!.throttle.register('192.0.2.1', now))).toBe(20);
    expect(await granted((index) => two[index % 2]!.throttle.password('acc_1', now))).toBe(5);
  });

  test('an attempt that succeeds is given back', async () => {
    const two = await gateways(2);
    for (let index = 0; index < 20; index++) {
      const attempt = await two[index % 2]!.throttle.signIn('anna', '192.0.2.1', false, Date.now());
      attempt.succeed(Date.now());
      await Bun.sleep(5);
    }
    await two[0]!.throttle.signIn('anna', '192.0.2.1', false, Date.now());
  });

  test('without Redis, each gateway counts alone', async () => {
    const { link, throttle } = await gateway();
    link.cut = 'away';
    expect(await granted(() => throttle.signIn('anna', '192.0.2.1', false, Date.now()))).toBe(5);
  });
});
