import { afterEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { RollingMinute, WINDOW_MS } from '../access/rolling-minute.ts';
import { silentLog } from '../ops/log.ts';
import { type Cut, CutLink } from '../testing/cut-link.fixture.ts';
import { RedisWorld, until } from '../testing/redis-world.fixture.ts';
import { redisForTests } from '../testing/services.fixture.ts';
import { SharedAllowance, type SharedAllowanceOptions } from './shared-allowance.ts';

const url = await redisForTests();
const START = 1_800_000_000_000;

describe.skipIf(!url)('the REST allowance over all gateways', () => {
  let world = new RedisWorld(url!);
  const opened: SharedAllowance[] = [];
  afterEach(async () => {
    for (const allowance of opened.splice(0)) allowance.stop();
    await world.end();
    world = new RedisWorld(url!);
  });

  /** Gateways by one clock that the test moves, each with a link it can cut. */
  async function cluster(count: number, changes: Partial<SharedAllowanceOptions> = {}) {
    const clock = { now: START };
    const links = await Promise.all(Array.from({ length: count }, async () => new CutLink(await world.link())));
    const gateways = links.map((link) => {
      const allowance = new SharedAllowance({
        ...{ link, keys: world.keys, gateways: () => count, log: silentLog, settleMs: 0, recoverMs: 1 },
        ...{ now: () => clock.now, redisNow: () => clock.now },
        ...changes,
      });
      opened.push(allowance);
      return allowance;
    });
    // A memory that has just begun decides nothing yet.
    await until(async () => Number(await (await world.link()).send(['EXISTS', world.keys.memory])) === 1);
    clock.now += 5_000;
    const ready = () => until(() => gateways.every(({ degraded }) => !degraded), 'Redis decides');
    await ready();
    return { clock, links, gateways, ready };
  }

  test('is counted as one gateway would count it, wherever requests come in', async () => {
    const { clock, gateways } = await cluster(3);
    let account = 0;
    const step = fc.record({
      gateway: fc.nat(2),
      passed: fc.oneof(fc.nat(40), fc.nat(30_000), fc.constant(WINDOW_MS)),
      look: fc.boolean(),
    });
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 60, size: 'max' }),
      fc.integer({ min: 1, max: 8 }),
      async (steps, limit) => {
        const name = String(++account);
        const model = new RollingMinute(limit);
        for (const { gateway, passed, look } of steps) {
          clock.now += passed;
          const told = await (look ? gateways[gateway]!.look(name, limit) : gateways[gateway]!.take(name, limit));
          expect(told).toEqual({
            allowed: !look && model.take(clock.now),
            limit,
            remaining: model.remaining(clock.now),
            resetMs: model.resetMs(clock.now),
          });
        }
      },
    );
    await fc.assert(property, { numRuns: 60 });
  }, 30_000);

  test('the whole number is usable in one burst over all, and not one more', async () => {
    const { gateways } = await cluster(4);
    const taken = await Promise.all(Array.from({ length: 400 }, (_, at) => gateways[at % 4]!.take('a', 120)));
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(120);
    expect((await gateways[0]!.take('b', 120)).allowed).toBe(true);
  });

  test('by Redis’s own clock, a request is free again when the minute has passed', async () => {
    const now = () => performance.timeOrigin + performance.now();
    const windowMs = 600;
    const real = await Promise.all(
      [1, 2].map(async () => {
        const link = await world.link();
        const options = { link, keys: world.keys, gateways: () => 2, log: silentLog, now, windowMs, settleMs: 0 };
        const allowance = new SharedAllowance(options);
        opened.push(allowance);
        await until(() => !allowance.degraded);
        return allowance;
      }),
    );
    const granted: number[] = [];
    const started = performance.now();
    for (let turn = 0; performance.now() - started < 2_500; turn++) {
      const asked = performance.now();
      if ((await real[turn % 2]!.take('a', 10)).allowed) granted.push(asked);
      await Bun.sleep(3);
    }
    // Asked before it was counted: two that are more than a window apart may seem nearer by the time of an answer.
    for (let at = 10; at < granted.length; at++)
      expect(granted[at]! - granted[at - 10]!).toBeGreaterThan(windowMs - 50);
    expect(granted.length).toBeGreaterThan(35);
  }, 10_000);

  test('while Redis is away each gateway grants its share, and says so', async () => {
    const { links, gateways, ready } = await cluster(2);
    const [one, two] = gateways as [SharedAllowance, SharedAllowance];
    for (let times = 0; times < 3; times++) await one.take('a', 10);
    for (const link of links) link.cut = 'away';
    expect(await one.take('a', 10)).toEqual({ allowed: true, limit: 10, remaining: 1, resetMs: WINDOW_MS });
    expect([one.degraded, one.decidedAlone]).toEqual([true, 1]);
    // Three that Redis counted are among its five.
    expect((await one.take('a', 10)).allowed).toBe(true);
    expect(await one.take('a', 10)).toMatchObject({ allowed: false, remaining: 0 });
    for (let times = 0; times < 7; times++) expect((await two.take('a', 10)).allowed).toBe(times < 5);
    // An account of less than one for each still has one.
    expect((await two.take('tiny', 1)).allowed).toBe(true);
    for (const link of links) link.heal();
    await ready();
    // All of it counts: 3 and 2 of the one, 5 of the other.
    expect(await one.look('a', 12)).toMatchObject({ remaining: 2 });
    expect((await one.take('a', 10)).allowed).toBe(false);
  });

  test('a Redis that does not answer is waited for 250 ms, then no more until it is back', async () => {
    const { links, gateways } = await cluster(1);
    links[0]!.cut = 'silent';
    let asked = performance.now();
    expect((await gateways[0]!.take('a', 10)).allowed).toBe(true);
    expect(performance.now() - asked).toBeGreaterThan(200);
    expect(performance.now() - asked).toBeLessThan(450);
    asked = performance.now();
    for (let times = 0; times < 100; times++) await gateways[0]!.take('b', 1_000);
    expect(performance.now() - asked).toBeLessThan(100);
  });

  test('a Redis that has forgotten is told of the last minute by all, before it decides again', async () => {
    const { clock, links, gateways, ready } = await cluster(2, { settleMs: 2_000 });
    for (let times = 0; times < 8; times++) await gateways[times % 2]!.take('a', 20);
    await world.forget();
    for (const link of links) link.cut = 'away';
    await gateways[0]!.take('a', 20);
    for (const link of links) link.heal();
    await Bun.sleep(50);
    expect(gateways.map(({ degraded }) => degraded)).toEqual([true, true]);
    clock.now += 2_001;
    await ready();
    expect(await gateways[1]!.look('a', 20)).toMatchObject({ remaining: 11 });
  });

  test('no outage whatever lets more through in any minute than the limit and the shares of all', async () => {
    const actions = fc.oneof(
      { weight: 12, arbitrary: fc.record({ do: fc.constant('take' as const), gateway: fc.nat(2), times: fc.nat(6) }) },
      { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(25_000) }) },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('cut' as const),
          gateway: fc.nat(2),
          how: fc.constantFrom<Cut>('away', 'unanswered'),
        }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('heal' as const), gateway: fc.nat(2) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const) }) },
    );
    const { clock, links, gateways, ready } = await cluster(3);
    let account = 0;
    let alone = 0;
    const property = fc.asyncProperty(
      fc.array(actions, { maxLength: 60, size: 'max' }),
      fc.integer({ min: 1, max: 12 }),
      async (steps, limit) => {
        const name = String(++account);
        const granted: number[] = [];
        for (const step of steps) {
          if (step.do === 'take') {
            const taken = await Promise.all(
              Array.from({ length: step.times }, () => gateways[step.gateway]!.take(name, limit)),
            );
            for (const { allowed } of taken) if (allowed) granted.push(clock.now);
          } else if (step.do === 'pass') clock.now += step.ms;
          else if (step.do === 'cut') links[step.gateway]!.cut = step.how;
          else if (step.do === 'heal') {
            links[step.gateway]!.heal();
            await Bun.sleep(3);
          } else {
            // A restart breaks every link; all come back and tell before Redis decides for any of them.
            for (const link of links) link.cut = 'away';
            await world.forget();
            for (const link of links) link.heal();
            await ready();
          }
        }
        for (const link of links) link.heal();
        await ready();
        const share = Math.min(limit, Math.max(1, Math.floor(limit / 3)));
        const bound = limit + 3 * share;
        for (let at = bound; at < granted.length; at++)
          expect(granted[at]! - granted[at - bound]!).toBeGreaterThanOrEqual(WINDOW_MS);
        alone = gateways.reduce((sum, { decidedAlone }) => sum + decidedAlone, 0);
      },
    );
    await fc.assert(property, { numRuns: 50 });
    expect(alone).toBeGreaterThan(0);
  }, 60_000);
});
