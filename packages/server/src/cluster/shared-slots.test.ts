import { afterEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { silentLog } from '../ops/log.ts';
import { CutLink } from '../testing/cut-link.fixture.ts';
import { RedisWorld, until } from '../testing/redis-world.fixture.ts';
import { redisForTests } from '../testing/services.fixture.ts';
import { Presence } from './presence.ts';
import { SharedSlots } from './shared-slots.ts';

const url = await redisForTests();

describe.skipIf(!url)('stream slots over all gateways', () => {
  let world = new RedisWorld(url!);
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await world.end();
    world = new RedisWorld(url!);
  });

  async function gateway(id: string, onOver?: (account: string, held: number, limit: number) => void) {
    const link = new CutLink(await world.link());
    const facts = () => ({ id, clients: 0, startedAt: 1, version: '0', schema: 1 });
    const presence: Presence = new Presence({
      ...{ link, keys: world.keys, facts, log: silentLog },
      onRevived: () => void slots.sayAll(),
    });
    const slots: SharedSlots = new SharedSlots({
      ...{ link, keys: world.keys, id, log: silentLog, gateways: () => presence.count, beat: () => presence.beat() },
      ...(onOver && { onOver }),
    });
    await presence.start();
    ends.push(
      () => presence.leave(),
      () => slots.stop(),
    );
    return { link, presence, slots };
  }

  test('are counted together, and come free wherever they are given back', async () => {
    const [one, two] = [await gateway('one'), await gateway('two')];
    expect(await one.slots.take('a', 3)).toEqual({ taken: true, held: 1 });
    expect(await two.slots.take('a', 3)).toEqual({ taken: true, held: 2 });
    expect(await two.slots.take('a', 3)).toEqual({ taken: true, held: 3 });
    expect(await one.slots.take('a', 3)).toEqual({ taken: false, held: 3 });
    expect((await one.slots.take('b', 3)).taken).toBe(true);
    two.slots.release('a');
    await until(async () => (await one.slots.take('a', 3)).taken);
    expect((await one.slots.take('nobody', 0)).taken).toBe(false);
  });

  test('no race gives out more than there are', async () => {
    const gateways = await Promise.all(['one', 'two', 'three'].map((id) => gateway(id)));
    const taken = await Promise.all(Array.from({ length: 60 }, (_, at) => gateways[at % 3]!.slots.take('a', 10)));
    expect(taken.filter((slot) => slot.taken)).toHaveLength(10);
  });

  test('whatever is taken and given back, the count is that of one gateway', async () => {
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
            // Said on the same link: another gateway may be faster.
            await gateways[at]!.slots.take('another', 0);
          }
        }
      },
    );
    await fc.assert(property, { numRuns: 40 });
  }, 30_000);

  test('of a gateway that died are free within 5 s', async () => {
    const [one, two] = [await gateway('one'), await gateway('two')];
    for (let times = 0; times < 3; times++) await two.slots.take('a', 3);
    expect((await one.slots.take('a', 3)).taken).toBe(false);
    two.link.cut = 'away';
    const died = performance.now();
    await until(async () => (await one.slots.take('a', 3)).taken);
    expect(performance.now() - died).toBeLessThan(5_000);
  }, 15_000);

  test('of a gateway that was stopped and comes back count again, and none is left over when they are given back', async () => {
    const over: [string, number, number][] = [];
    const one = await gateway('one');
    const two = await gateway('two', (...told) => over.push(told));
    for (let times = 0; times < 2; times++) await two.slots.take('a', 2);
    two.link.cut = 'away';
    await until(async () => (await one.slots.take('a', 2)).taken);
    two.link.heal();
    await two.presence.beat();
    await until(() => over.length > 0);
    expect(over[0]).toEqual(['a', 3, 2]);
    expect((await one.slots.take('a', 2)).taken).toBe(false);
    for (let times = 0; times < 2; times++) two.slots.release('a');
    one.slots.release('a');
    await until(async () => (await one.slots.take('a', 1)).taken);
    expect((await two.slots.take('a', 1)).taken).toBe(false);
  }, 15_000);

  test('that Redis has forgotten are said again', async () => {
    const [one, two] = [await gateway('one'), await gateway('two')];
    for (let times = 0; times < 3; times++) await two.slots.take('a', 3);
    await world.forget();
    await two.presence.beat();
    await until(async () => {
      const { taken } = await one.slots.take('a', 3);
      if (taken) one.slots.release('a');
      return !taken;
    });
    // A gateway that Redis does not know says first that it lives.
    await world.forget();
    expect((await two.slots.take('a', 4)).taken).toBe(true);
    expect((await two.slots.take('a', 4)).taken).toBe(false);
  });

  test('while Redis is away each gateway gives out its share, and what it gave counts when Redis is back', async () => {
    const [one, two] = [await gateway('one'), await gateway('two')];
    await one.presence.beat();
    one.link.cut = 'away';
    const taken = [];
    for (let times = 0; times < 4; times++) taken.push((await one.slots.take('a', 5)).taken);
    expect(taken).toEqual([true, true, false, false]);
    expect((await one.slots.take('tiny', 1)).taken).toBe(true);
    expect(one.slots.degraded).toBe(true);
    one.link.heal();
    await until(() => !one.slots.degraded);
    expect(await two.slots.take('a', 3)).toEqual({ taken: true, held: 3 });
    expect((await two.slots.take('a', 3)).taken).toBe(false);
  });

  test('a Redis that is slow for a moment is not asked for ever: the gateway decides, and is put right after', async () => {
    const one = await gateway('one');
    one.link.cut = 'silent';
    const asked = performance.now();
    expect((await one.slots.take('a', 2)).taken).toBe(true);
    expect(performance.now() - asked).toBeLessThan(450);
    one.link.cut = 'none';
    await until(() => !one.slots.degraded);
    expect(await one.slots.take('a', 2)).toEqual({ taken: true, held: 2 });
    expect((await one.slots.take('a', 2)).taken).toBe(false);
  });
});
