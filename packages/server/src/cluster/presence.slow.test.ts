import { afterEach, describe, expect, test } from 'bun:test';
import { startWatch } from '../../testing/event-loop.fixture.ts';
import { redisForTests } from '../../testing/external-services.fixture.ts';
import { RedisSandbox, waitUntil } from '../../testing/redis-sandbox.fixture.ts';
import { silentLog } from '../ops/log.ts';
import { listGateways, Presence, type PresenceOptions } from './presence.ts';

const url = await redisForTests();

describe.skipIf(!url)('the presence of gateways', () => {
  let sandbox = new RedisSandbox(url!);
  const present: Presence[] = [];
  afterEach(async () => {
    for (const presence of present.splice(0)) await presence.leave();
    await sandbox.end();
    sandbox = new RedisSandbox(url!);
  });
  async function gateway(id: string, clients: () => number, changes: Partial<PresenceOptions> = {}) {
    const info = () => ({ id, clients: clients(), startedAt: 1, version: '0.1.0', schema: 7 });
    const presence = new Presence({ link: await sandbox.link(), keys: sandbox.keys, info, log: silentLog, ...changes });
    await presence.start();
    present.push(presence);
    return presence;
  }

  test('every gateway knows all gateways and the clients of all', async () => {
    let clients = 3;
    const one = await gateway('one', () => clients);
    const two = await gateway('two', () => 10);
    await one.heartbeat();
    expect(one.gateways.map(({ id }) => id).sort()).toEqual(['one', 'two']);
    expect(one.gateways.find(({ id }) => id === 'two')).toEqual({
      ...{ id: 'two', clients: 10, startedAt: 1, version: '0.1.0', schema: 7 },
    });
    expect([one.count, two.count]).toEqual([2, 2]);
    expect(one.clients).toBe(13);
    // Its own clients are counted now.
    clients = 4;
    expect(one.clients).toBe(14);
    expect((await listGateways(await sandbox.link(), sandbox.keys)).length).toBe(2);
  });

  test('removes a gateway that leaves immediately, and one that dies within 5 s', async () => {
    const one = await gateway('one', () => 1);
    const two = await gateway('two', () => 1);
    const link = await sandbox.link();
    await gateway('three', () => 1, { link });
    await one.heartbeat();
    expect(one.count).toBe(3);
    await two.leave();
    await one.heartbeat();
    expect(one.count).toBe(2);
    const died = performance.now();
    const passed = startWatch();
    link.close();
    await waitUntil(() => one.count === 1);
    expect(performance.now() - died).toBeGreaterThan(2_500);
    expect(passed()).toBeLessThan(5_500);
    expect(await listGateways(await sandbox.link(), sandbox.keys)).toHaveLength(1);
  });

  test('notifies a gateway that counted as dead or was lost by Redis when it is back', async () => {
    let revived = 0;
    const one = await gateway('one', () => 1, { onRevived: () => revived++ });
    await one.heartbeat();
    expect(revived).toBe(0);
    await sandbox.loseData();
    await one.heartbeat();
    expect(revived).toBe(1);
    const link = await sandbox.link();
    await link.send(['ZADD', sandbox.keys.gateways, '5', 'one']);
    await one.heartbeat();
    expect(revived).toBe(2);
    expect(one.count).toBe(1);
  });

  test('counts the gateways last seen while Redis cannot be reached', async () => {
    const link = await sandbox.link();
    const one = await gateway('one', () => 1, { link });
    await gateway('two', () => 5);
    await one.heartbeat();
    link.close();
    await one.heartbeat();
    expect([one.count, one.clients]).toEqual([2, 6]);
  });
});
