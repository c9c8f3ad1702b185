import { afterEach, describe, expect, test } from 'bun:test';
import { RedisWorld, until } from '../testing/redis-world.fixture.ts';
import { redisForTests } from '../testing/services.fixture.ts';
import { ActiveIngestWatch } from './active-ingest.ts';

const url = await redisForTests();

describe.skipIf(!url)('the lease of the active ingest', () => {
  let world = new RedisWorld(url!);
  afterEach(async () => {
    await world.end();
    world = new RedisWorld(url!);
  });

  test('is one at a time; each taking has a higher token', async () => {
    const leases = await Promise.all(Array.from({ length: 5 }, async () => world.standBy(await world.link())));
    const tokens: number[] = [];
    let holding = 0;
    let most = 0;
    const turns = leases.map(async (lease) => {
      await lease.acquire();
      most = Math.max(most, ++holding);
      tokens.push(lease.token);
      await Bun.sleep(30);
      holding--;
      await lease.release();
      expect(lease.held()).toBe(false);
    });
    await Promise.all(turns);
    expect(most).toBe(1);
    expect(tokens).toEqual([...tokens].sort((a, b) => a - b));
    expect(new Set(tokens).size).toBe(5);
  });

  test('of a process that died passes to the one that stands by within 5 s, and not while it is renewed', async () => {
    const first = await world.lease(await world.link());
    const second = world.standBy(await world.link(), { graceMs: 1_000 });
    const taken = second.acquire();
    await Bun.sleep(3_500);
    expect(second.token).toBe(0);
    expect(first.held()).toBe(true);
    // It renews no more, as if it was killed.
    first.stop();
    const died = performance.now();
    expect(await taken).toBe(true);
    expect(performance.now() - died).toBeLessThan(5_000);
    expect(second.token).toBeGreaterThan(first.token);
    expect(first.held()).toBe(false);
  }, 15_000);

  test('that was given back is taken at once, without the grace', async () => {
    const first = await world.lease(await world.link());
    const second = world.standBy(await world.link(), { graceMs: 60_000 });
    const taken = second.acquire();
    await Bun.sleep(300);
    const released = performance.now();
    await first.release();
    expect(await taken).toBe(true);
    expect(performance.now() - released).toBeLessThan(1_000);
  });

  test('knows by its own clock that it has run out, before it asks Redis', async () => {
    const lease = await world.lease(await world.link(), { ttlMs: 700, renewMs: 60_000 });
    expect(lease.held()).toBe(true);
    await Bun.sleep(450);
    expect(lease.held()).toBe(false);
  });

  test('of who was away for too long is lost, and it is told', async () => {
    let lost = 0;
    const [one, two] = [await world.link(), await world.link()];
    const first = await world.lease(one, { ttlMs: 500, renewMs: 60_000, onLost: () => lost++ });
    const second = await world.lease(two);
    await first.renew();
    expect([lost, first.held(), second.held()]).toEqual([1, false, true]);
    // Also where the other has given it back since: it has published meanwhile.
    await second.release();
    const third = await world.lease(one, { ttlMs: 400, renewMs: 60_000, onLost: () => lost++ });
    const fourth = await world.lease(two);
    await fourth.release();
    await third.renew();
    expect([lost, third.held()]).toEqual([2, false]);
  });

  test('that Redis has forgotten is taken again by who held it, with a higher token', async () => {
    const link = await world.link();
    const lease = await world.lease(link);
    const before = lease.token;
    const other = world.standBy(await world.link(), { graceMs: 1_000 });
    const taken = other.acquire();
    await world.forget();
    await lease.renew();
    expect(lease.token).toBeGreaterThan(before);
    expect(lease.held()).toBe(true);
    await Bun.sleep(1_500);
    expect(other.token).toBe(0);
    other.stop();
    expect(await taken).toBe(false);
  });

  test('whose renewal went through without an answer is still its holder’s, with the token it has there', async () => {
    const link = await world.link();
    const lease = await world.lease(link);
    await link.send(['HSET', world.keys.lease, 'token', '7']);
    await lease.renew();
    expect([lease.token, lease.held(), lease.lost]).toEqual([7, true, false]);
  });

  test('has tokens above what the store has seen, whatever Redis knows', async () => {
    const lease = await world.lease(await world.link(), { minimumToken: async () => 41 });
    expect(lease.token).toBe(42);
  });

  test('tells everyone who is active and where', async () => {
    const watch = await ActiveIngestWatch.open(await world.link(), world.keys);
    expect(watch.current).toBeNull();
    const lease = await world.lease(await world.link(), { id: 'ingest-1', address: '10.0.0.7:9000' });
    await until(() => watch.current !== null);
    expect(watch.current).toEqual({ id: 'ingest-1', address: '10.0.0.7:9000', token: lease.token });
    await lease.release();
    expect(await watch.look()).toBeNull();
    watch.stop();
  });
});
