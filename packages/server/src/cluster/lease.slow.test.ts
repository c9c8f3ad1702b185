import { afterEach, describe, expect, test } from 'bun:test';
import { startWatch } from '../../testing/event-loop.fixture.ts';
import { redisForTests } from '../../testing/external-services.fixture.ts';
import { RedisSandbox, waitUntil } from '../../testing/redis-sandbox.fixture.ts';
import { ActiveIngestWatch } from './active-ingest.ts';

const url = await redisForTests();

describe.skipIf(!url)('the lease of the active ingest node', () => {
  let sandbox = new RedisSandbox(url!);
  afterEach(async () => {
    await sandbox.end();
    sandbox = new RedisSandbox(url!);
  });

  test('is left to others by a node that could not be active', async () => {
    let able = false;
    const waiting = sandbox.standBy(await sandbox.link(), { mayAcquire: () => able });
    const acquired = waiting.acquire();
    await Bun.sleep(600);
    expect(waiting.token).toBe(0);
    able = true;
    expect(await acquired).toBe(true);
  });

  test('is held by one node at a time, and each acquisition has a higher token', async () => {
    const leases = await Promise.all(Array.from({ length: 5 }, async () => sandbox.standBy(await sandbox.link())));
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

  test('passes to the standby within 5 s after its holder died, and not while it is renewed', async () => {
    const first = await sandbox.lease(await sandbox.link());
    const second = sandbox.standBy(await sandbox.link(), { graceMs: 1_000 });
    const taken = second.acquire();
    await Bun.sleep(3_500);
    expect(second.token).toBe(0);
    expect(first.held()).toBe(true);
    // Stops renewing, as if it was killed.
    first.stop();
    const passed = startWatch();
    expect(await taken).toBe(true);
    expect(passed()).toBeLessThan(5_000);
    expect(second.token).toBeGreaterThan(first.token);
    expect(first.held()).toBe(false);
  });

  test('is acquired immediately after a release, without the grace period', async () => {
    const first = await sandbox.lease(await sandbox.link());
    const second = sandbox.standBy(await sandbox.link(), { graceMs: 60_000 });
    const taken = second.acquire();
    await Bun.sleep(300);
    const passed = startWatch();
    await first.release();
    expect(await taken).toBe(true);
    expect(passed()).toBeLessThan(1_000);
  });

  test('expires by its own clock, before Redis is asked', async () => {
    const lease = await sandbox.lease(await sandbox.link(), { ttlMs: 700, renewMs: 60_000 });
    expect(lease.held()).toBe(true);
    await Bun.sleep(450);
    expect(lease.held()).toBe(false);
  });

  test('is lost by a holder that was stopped for too long, and onLost is called', async () => {
    let lost = 0;
    const [one, two] = [await sandbox.link(), await sandbox.link()];
    const first = await sandbox.lease(one, { ttlMs: 500, renewMs: 60_000, onLost: () => lost++ });
    const second = await sandbox.lease(two);
    await first.renew();
    expect([lost, first.held(), second.held()]).toEqual([1, false, true]);
    // Even if the other node has released it since: that one has published meanwhile.
    await second.release();
    const third = await sandbox.lease(one, { ttlMs: 400, renewMs: 60_000, onLost: () => lost++ });
    const fourth = await sandbox.lease(two);
    await fourth.release();
    await third.renew();
    expect([lost, third.held()]).toEqual([2, false]);
  });

  test('is acquired again by its holder with a higher token if Redis has lost it', async () => {
    const link = await sandbox.link();
    const lease = await sandbox.lease(link);
    const before = lease.token;
    const other = sandbox.standBy(await sandbox.link(), { graceMs: 1_000 });
    const taken = other.acquire();
    await sandbox.loseData();
    await lease.renew();
    expect(lease.token).toBeGreaterThan(before);
    expect(lease.held()).toBe(true);
    await Bun.sleep(1_500);
    expect(other.token).toBe(0);
    other.stop();
    expect(await taken).toBe(false);
  });

  test('is kept by its holder, with the new token, if the reply to a renewal was lost', async () => {
    const link = await sandbox.link();
    const lease = await sandbox.lease(link);
    await link.send(['HSET', sandbox.keys.lease, 'token', '7']);
    await lease.renew();
    expect([lease.token, lease.held(), lease.lost]).toEqual([7, true, false]);
  });

  test('has tokens above those in the store, whatever Redis knows', async () => {
    const lease = await sandbox.lease(await sandbox.link(), { minimumToken: async () => 41 });
    expect(lease.token).toBe(42);
  });

  test('shows every node which ingest node is active and where', async () => {
    const watch = await ActiveIngestWatch.open(await sandbox.link(), sandbox.keys);
    expect(watch.current).toBeNull();
    const lease = await sandbox.lease(await sandbox.link(), { id: 'ingest-1', address: '10.0.0.7:9000' });
    await waitUntil(() => watch.current !== null);
    expect(watch.current).toEqual({ id: 'ingest-1', address: '10.0.0.7:9000', token: lease.token });
    await lease.release();
    expect(await watch.refresh()).toBeNull();
    watch.stop();
  });
});
