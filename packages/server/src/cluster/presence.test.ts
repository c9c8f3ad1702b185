import { afterEach, describe, expect, test } from 'bun:test';
import { silentLog } from '../ops/log.ts';
import { RedisWorld, until } from '../testing/redis-world.fixture.ts';
import { redisForTests } from '../testing/services.fixture.ts';
import { listGateways, Presence, type PresenceOptions } from './presence.ts';

const url = await redisForTests();

describe.skipIf(!url)('the presence of gateways', () => {
  let world = new RedisWorld(url!);
  const present: Presence[] = [];
  afterEach(async () => {
    for (const presence of present.splice(0)) await presence.leave();
    await world.end();
    world = new RedisWorld(url!);
  });
  async function gateway(id: string, clients: () => number, changes: Partial<PresenceOptions> = {}) {
    const facts = () => ({ id, clients: clients(), startedAt: 1, version: '0.1.0', schema: 7 });
    const presence = new Presence({ link: await world.link(), keys: world.keys, facts, log: silentLog, ...changes });
    await presence.start();
    present.push(presence);
    return presence;
  }

  test('all know of all, and of the clients of all', async () => {
    let clients = 3;
    const one = await gateway('one', () => clients);
    const two = await gateway('two', () => 10);
    await one.beat();
    expect(one.gateways.map(({ id }) => id).sort()).toEqual(['one', 'two']);
    expect(one.gateways.find(({ id }) => id === 'two')).toEqual({
      ...{ id: 'two', clients: 10, startedAt: 1, version: '0.1.0', schema: 7 },
    });
    expect([one.count, two.count]).toEqual([2, 2]);
    expect(one.clients).toBe(13);
    // Its own are those of this moment.
    clients = 4;
    expect(one.clients).toBe(14);
    expect((await listGateways(await world.link(), world.keys)).length).toBe(2);
  });

  test('one that leaves is gone at once, one that dies within 5 s', async () => {
    const one = await gateway('one', () => 1);
    const two = await gateway('two', () => 1);
    const link = await world.link();
    await gateway('three', () => 1, { link });
    await one.beat();
    expect(one.count).toBe(3);
    await two.leave();
    await one.beat();
    expect(one.count).toBe(2);
    const died = performance.now();
    link.close();
    await until(() => one.count === 1);
    const took = performance.now() - died;
    expect(took).toBeGreaterThan(2_500);
    expect(took).toBeLessThan(5_500);
    expect(await listGateways(await world.link(), world.keys)).toHaveLength(1);
  }, 15_000);

  test('one that was taken for dead, or forgotten, is told when it is back', async () => {
    let revived = 0;
    const one = await gateway('one', () => 1, { onRevived: () => revived++ });
    await one.beat();
    expect(revived).toBe(0);
    await world.forget();
    await one.beat();
    expect(revived).toBe(1);
    const link = await world.link();
    await link.send(['ZADD', world.keys.gateways, '5', 'one']);
    await one.beat();
    expect(revived).toBe(2);
    expect(one.count).toBe(1);
  });

  test('while Redis is away, those last seen still count', async () => {
    const link = await world.link();
    const one = await gateway('one', () => 1, { link });
    await gateway('two', () => 5);
    await one.beat();
    link.close();
    await one.beat();
    expect([one.count, one.clients]).toEqual([2, 6]);
  });
});
