import { afterEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CutLink } from '../../testing/cut-link.fixture.ts';
import { startWatch } from '../../testing/event-loop.fixture.ts';
import { redisForTests } from '../../testing/external-services.fixture.ts';
import { RedisSandbox, timeSinceNoReply, waitUntil } from '../../testing/redis-sandbox.fixture.ts';
import { silentLog } from '../ops/log.ts';
import { Presence } from './presence.ts';
import { SharedSlots } from './shared-slots.ts';

const url = await redisForTests();

describe.skipIf(!url)('stream slots across all gateways', () => {
  let sandbox = new RedisSandbox(url!);
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await sandbox.end();
    sandbox = new RedisSandbox(url!);
  });

  async function gateway(id: string, onOverLimit?: (account: string, held: number, limit: number) => void) {
    const link = new CutLink(await sandbox.link());
    const info = () => ({ id, clients: 0, startedAt: 1, version: '0', schema: 1 });
    const presence: Presence = new Presence({
      ...{ link, keys: sandbox.keys, info, log: silentLog },
      onRevived: () => void slots.reportAll(),
    });
    const slots: SharedSlots = new SharedSlots({
      ...{
        link,
        keys: sandbox.keys,
        id,
        log: silentLog,
        gateways: () => presence.count,
        heartbeat: () => presence.heartbeat(),
      },
      ...(onOverLimit && { onOverLimit }),
    });
    await presence.start();
    ends.push(
      // A failed test leaves the link cut.
      () => link.heal(),
      () => presence.leave(),
      () => slots.stop(),
    );
    return { link, presence, slots };
  }

  test('are counted together, and are free wherever they are released', async () => {
    const [one, two] = [await gateway('one'), await gateway('two')];
    expect(await one.slots.take('a', 3)).toEqual({ taken: true, held: 1 });
    expect(await two.slots.take('a', 3)).toEqual({ taken: true, held: 2 });
    expect(await two.slots.take('a', 3)).toEqual({ taken: true, held: 3 });
    expect(await one.slots.take('a', 3)).toEqual({ taken: false, held: 3 });
    expect((await one.slots.take('b', 3)).taken).toBe(true);
    two.slots.release('a');
    await waitUntil(async () => (await one.slots.take('a', 3)).taken);
    expect((await one.slots.take('nobody', 0)).taken).toBe(false);
  });

  test('are never granted beyond the limit in a race', async () => {
    const gateways = await Promise.all(['one', 'two', 'three'].map((id) => gateway(id)));
    const taken = await Promise.all(Array.from({ length: 60 }, (_, at) => gateways[at % 3]!.slots.take('a', 10)));
    expect(taken.filter((slot) => slot.taken)).toHaveLength(10);
  });

  test('are counted like those of a single gateway, in any order of take and release', async () => {
    const gateways = await Promise.all(['one', 'two', 'three'].map((id) => gateway(id)));
    let account = 0;
    const step = fc.record({ gateway: fc.nat(2), release: fc.boolean() });
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 40, size: 'max' }),
      fc.nat(6),
      async (steps, limit) => {
        const name = String(++account);
        const held = [0, 0, 0];
        for (const { gateway: at, release } of steps) {
          const total = held.reduce((sum, count) => sum + count, 0);
          if (!release) {
            const { taken } = await gateways[at]!.slots.take(name, limit);
            expect(taken).toBe(total < limit);
            if (taken) held[at]!++;
          } else if (held[at]! > 0) {
            held[at]!--;
            gateways[at]!.slots.release(name);
            // On the same link, because another gateway may be faster.
            await gateways[at]!.slots.take('another', 0);
          }
        }
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  test('of a dead gateway are free within 5 s', async () => {
    const [one, two] = [await gateway('one'), await gateway('two')];
    for (let times = 0; times < 3; times++) await two.slots.take('a', 3);
    expect((await one.slots.take('a', 3)).taken).toBe(false);
    two.link.cut = 'away';
    const passed = startWatch();
    await waitUntil(async () => (await one.slots.take('a', 3)).taken);
    expect(passed()).toBeLessThan(5_000);
  });

  test('of a gateway that was stopped count again when it is back, and none remains after their release', async () => {
    const over: [string, number, number][] = [];
    // The gateway that reports last finds it: the first does if Redis answered it late.
    const one = await gateway('one', (...told) => over.push(told));
    const two = await gateway('two', (...told) => over.push(told));
    for (let times = 0; times < 2; times++) await two.slots.take('a', 2);
    two.link.cut = 'away';
    await waitUntil(async () => (await one.slots.take('a', 2)).taken);
    two.link.heal();
    await two.presence.heartbeat();
    await waitUntil(() => over.length > 0);
    expect(over[0]).toEqual(['a', 3, 2]);
    expect((await one.slots.take('a', 2)).taken).toBe(false);
    for (let times = 0; times < 2; times++) two.slots.release('a');
    one.slots.release('a');
    await waitUntil(async () => (await one.slots.take('a', 1)).taken);
    expect((await two.slots.take('a', 1)).taken).toBe(false);
  });

  test('are reported again to a Redis that lost its data', async () => {
    const [one, two] = [await gateway('one'), await gateway('two')];
    for (let times = 0; times < 3; times++) await two.slots.take('a', 3);
    await sandbox.loseData();
    await two.presence.heartbeat();
    await waitUntil(async () => {
      const { taken } = await one.slots.take('a', 3);
      if (taken) one.slots.release('a');
      return !taken;
    });
    // A gateway that Redis does not know sends a heartbeat first.
    await sandbox.loseData();
    expect((await two.slots.take('a', 4)).taken).toBe(true);
    expect((await two.slots.take('a', 4)).taken).toBe(false);
  });

  test('are granted up to the share of each gateway while Redis cannot be reached, and count when it is back', async () => {
    const [one, two] = [await gateway('one'), await gateway('two')];
    await one.presence.heartbeat();
    one.link.cut = 'away';
    const taken = [];
    for (let times = 0; times < 4; times++) taken.push((await one.slots.take('a', 5)).taken);
    expect(taken).toEqual([true, true, false, false]);
    expect((await one.slots.take('tiny', 1)).taken).toBe(true);
    expect(one.slots.degraded).toBe(true);
    one.link.heal();
    await waitUntil(() => !one.slots.degraded);
    expect(await two.slots.take('a', 3)).toEqual({ taken: true, held: 3 });
    expect((await two.slots.take('a', 3)).taken).toBe(false);
  });

  test('are decided by the gateway when Redis is slow for a moment, and corrected afterwards', async () => {
    const one = await gateway('one');
    one.link.cut = 'silent';
    const waited = timeSinceNoReply();
    expect((await one.slots.take('a', 2)).taken).toBe(true);
    expect(await waited()).toBeLessThan(200);
    one.link.cut = 'none';
    await waitUntil(() => !one.slots.degraded);
    expect(await one.slots.take('a', 2)).toEqual({ taken: true, held: 2 });
    expect((await one.slots.take('a', 2)).taken).toBe(false);
  });
});
