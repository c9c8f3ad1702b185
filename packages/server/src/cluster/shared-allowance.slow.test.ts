import { afterEach, describe, expect, test } from 'bun:test';
import { MINUTE_MS as WINDOW_MS } from '@tickwire/engine';
import fc from 'fast-check';
import { type Cut, CutLink } from '../../testing/cut-link.fixture.ts';
import { startWatch } from '../../testing/event-loop.fixture.ts';
import { redisForTests } from '../../testing/external-services.fixture.ts';
import { RedisSandbox, timeSinceNoReply, waitUntil } from '../../testing/redis-sandbox.fixture.ts';
import { silentLog } from '../ops/log.ts';
import { RollingWindow } from '../work/rolling-window.ts';
import { SharedAllowance, type SharedAllowanceOptions } from './shared-allowance.ts';

const url = await redisForTests();
const START = 1_800_000_000_000;
/** No gateway decides alone because the machine is busy. */
const PATIENT = { replyMs: 30_000 };

describe.skipIf(!url)('the REST allowance across all gateways', () => {
  let sandbox = new RedisSandbox(url!);
  const opened: SharedAllowance[] = [];
  afterEach(async () => {
    for (const allowance of opened.splice(0)) allowance.stop();
    await sandbox.end();
    sandbox = new RedisSandbox(url!);
  });

  /** Gateways with a shared manual clock, each with a link that the test can cut. */
  async function cluster(count: number, changes: Partial<SharedAllowanceOptions> = {}) {
    const clock = { now: START };
    const links = await Promise.all(Array.from({ length: count }, async () => new CutLink(await sandbox.link())));
    const gateways = links.map((link) => {
      const allowance = new SharedAllowance({
        ...{ link, keys: sandbox.keys, gateways: () => count, log: silentLog, settleMs: 0, recoverMs: 1 },
        ...{ now: () => clock.now, redisNow: () => clock.now },
        ...changes,
      });
      opened.push(allowance);
      return allowance;
    });
    // A Redis that just lost its data decides nothing yet.
    await waitUntil(async () => Number(await (await sandbox.link()).send(['EXISTS', sandbox.keys.memory])) === 1);
    clock.now += 5_000;
    const ready = () => waitUntil(() => gateways.every(({ degraded }) => !degraded), 'Redis decides');
    await ready();
    return { clock, links, gateways, ready };
  }

  test('counts like a single gateway, wherever requests arrive', async () => {
    const { clock, gateways } = await cluster(3, PATIENT);
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
        const model = new RollingWindow(limit);
        for (const { gateway, passed, look } of steps) {
          clock.now += passed;
          const told = await (look ? gateways[gateway]!.peek(name, limit) : gateways[gateway]!.take(name, limit));
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
  });

  test('allows the whole limit in one burst across all gateways, and not one more', async () => {
    const { gateways } = await cluster(4, PATIENT);
    const taken = await Promise.all(Array.from({ length: 400 }, (_, at) => gateways[at % 4]!.take('a', 120)));
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(120);
    expect((await gateways[0]!.take('b', 120)).allowed).toBe(true);
  });

  test('frees a request when the minute has passed by the clock of Redis', async () => {
    const now = () => performance.timeOrigin + performance.now();
    const windowMs = 600;
    const real = await Promise.all(
      [1, 2].map(async () => {
        const link = await sandbox.link();
        const options = { link, keys: sandbox.keys, gateways: () => 2, log: silentLog, now, windowMs, settleMs: 0 };
        const allowance = new SharedAllowance(options);
        opened.push(allowance);
        await waitUntil(() => !allowance.degraded);
        return allowance;
      }),
    );
    const granted: { readonly asked: number; readonly answered: number }[] = [];
    for (let turn = 0; granted.length < 36; turn++) {
      const asked = performance.now();
      const { allowed } = await real[turn % 2]!.take('a', 10);
      if (allowed) granted.push({ asked, answered: performance.now() });
      await Bun.sleep(3);
    }
    // Each was counted between these two times. Redis counts whole milliseconds.
    for (let at = 10; at < granted.length; at++)
      expect(granted[at]!.answered - granted[at - 10]!.asked).toBeGreaterThan(windowMs - 2);
  });

  test('grants each gateway its share while Redis cannot be reached, and is degraded', async () => {
    const { links, gateways, ready } = await cluster(2);
    const [one, two] = gateways as [SharedAllowance, SharedAllowance];
    for (let times = 0; times < 3; times++) await one.take('a', 10);
    for (const link of links) link.cut = 'away';
    expect(await one.take('a', 10)).toEqual({ allowed: true, limit: 10, remaining: 1, resetMs: WINDOW_MS });
    expect([one.degraded, one.decidedLocally]).toEqual([true, 1]);
    // Its share of five includes the three that Redis counted.
    expect((await one.take('a', 10)).allowed).toBe(true);
    expect(await one.take('a', 10)).toMatchObject({ allowed: false, remaining: 0 });
    for (let times = 0; times < 7; times++) expect((await two.take('a', 10)).allowed).toBe(times < 5);
    // The share is at least one.
    expect((await two.take('tiny', 1)).allowed).toBe(true);
    for (const link of links) link.heal();
    await ready();
    // Everything counts: 3 and 2 of the first, 5 of the second.
    expect(await one.peek('a', 12)).toMatchObject({ remaining: 2 });
    expect((await one.take('a', 10)).allowed).toBe(false);
  });

  test('waits 250 ms for a Redis that does not respond, then not again until it is back', async () => {
    const { links, gateways } = await cluster(1);
    links[0]!.cut = 'silent';
    const asked = performance.now();
    const waited = timeSinceNoReply();
    expect((await gateways[0]!.take('a', 10)).allowed).toBe(true);
    expect(performance.now() - asked).toBeGreaterThan(200);
    expect(await waited()).toBeLessThan(200);
    const passed = startWatch();
    for (let times = 0; times < 100; times++) await gateways[0]!.take('b', 1_000);
    expect(passed()).toBeLessThan(100);
  });

  test('reports the last minute of all gateways to a Redis that lost its data, before it decides again', async () => {
    const { clock, links, gateways, ready } = await cluster(2, { settleMs: 2_000 });
    for (let times = 0; times < 8; times++) await gateways[times % 2]!.take('a', 20);
    await sandbox.loseData();
    for (const link of links) link.cut = 'away';
    await gateways[0]!.take('a', 20);
    for (const link of links) link.heal();
    await Bun.sleep(50);
    expect(gateways.map(({ degraded }) => degraded)).toEqual([true, true]);
    clock.now += 2_001;
    await ready();
    expect(await gateways[1]!.peek('a', 20)).toMatchObject({ remaining: 11 });
  });

  test('never grants more in any minute than the limit plus the shares of all gateways, whatever fails', async () => {
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
            // A restart breaks every link; all reconnect and report before Redis decides again.
            for (const link of links) link.cut = 'away';
            await sandbox.loseData();
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
        alone = gateways.reduce((sum, { decidedLocally }) => sum + decidedLocally, 0);
      },
    );
    await fc.assert(property, { numRuns: 50 });
    expect(alone).toBeGreaterThan(0);
  });
});
