import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { startWatch } from '../../testing/event-loop.fixture.ts';
import { waitUntil } from '../../testing/redis-sandbox.fixture.ts';
import { OwnRedis, redisCommand } from '../../testing/redis-server.fixture.ts';
import { silentLog } from '../ops/log.ts';
import { RedisLink, RedisUnavailable } from './redis-link.ts';
import { script } from './redis-script.ts';

const command = redisCommand();
const ECHO = script(`return ARGV[1]`);

describe.skipIf(!command)('a link to Redis', () => {
  let redis: OwnRedis;
  const links: RedisLink[] = [];
  async function opened(deadlineMs = 750): Promise<RedisLink> {
    redis ??= await OwnRedis.start(command!);
    const link = await RedisLink.open({ url: redis.url, name: 'a test', log: silentLog, scripts: [ECHO], deadlineMs });
    links.push(link);
    return link;
  }
  afterEach(() => {
    for (const link of links.splice(0)) link.close();
  });
  afterAll(() => redis?.end());

  test('reconnects after Redis was restarted and loads its scripts; commands meanwhile fail immediately', async () => {
    const link = await opened();
    let ups = 0;
    link.onReconnect(() => ups++);
    const { serverId } = link;
    expect(await link.run(ECHO, [], ['a'])).toBe('a');
    await redis.kill();
    await waitUntil(() => !link.connected);
    const passed = startWatch();
    await expect(link.send(['PING'])).rejects.toBeInstanceOf(RedisUnavailable);
    expect(passed()).toBeLessThan(50);
    await redis.start();
    await waitUntil(() => link.connected);
    expect(ups).toBe(1);
    expect(link.serverId).not.toBe(serverId);
    expect(await link.run(ECHO, [], ['b'])).toBe('b');
  });

  test('notices a Redis that stopped responding, fails pending commands and reconnects', async () => {
    const link = await opened();
    redis.pause();
    try {
      const passed = startWatch();
      await expect(link.send(['PING'])).rejects.toBeInstanceOf(RedisUnavailable);
      expect(passed()).toBeLessThan(2_500);
      expect(link.stalls).toBe(1);
      // Attempts to connect fail and do not accumulate.
      await Bun.sleep(3_000);
      expect(link.connected).toBe(false);
    } finally {
      redis.resume();
    }
    await waitUntil(() => link.connected);
    expect(await link.send(['PING'])).toBe('PONG');
  });

  test('notices a connection that holds back commands', async () => {
    const link = await opened();
    const other = await opened(10_000);
    await other.send(['CLIENT', 'PAUSE', '4000']);
    await expect(link.send(['PING'])).rejects.toBeInstanceOf(RedisUnavailable);
    await waitUntil(() => link.connected);
    expect(await link.send(['PING'])).toBe('PONG');
  });

  test('a blocking command has its own deadline', async () => {
    const link = await opened();
    expect(await link.send(['XREAD', 'BLOCK', '1500', 'STREAMS', 'nothing', '0-0'], 3_000)).toBeNull();
    expect(link.stalls).toBe(0);
  });

  test('runs a script that was flushed from the server', async () => {
    const link = await opened();
    await link.send(['SCRIPT', 'FLUSH']);
    expect(await link.run(ECHO, [], ['again'])).toBe('again');
  });

  test('reports an error reply as such, and stays connected', async () => {
    const link = await opened();
    await expect(link.send(['NOSUCH'])).rejects.toThrow('unknown command');
    expect(link.connected).toBe(true);
  });

  test('signs in with a password, and fails to open with a wrong one', async () => {
    const link = await opened();
    await link.send(['CONFIG', 'SET', 'requirepass', 's3cret']);
    try {
      const url = redis.url.replace('redis://', 'redis://:s3cret@');
      links.push(await RedisLink.open({ url, name: 'a', log: silentLog }));
      const wrong = redis.url.replace('redis://', 'redis://:wrong@');
      await expect(RedisLink.open({ url: wrong, name: 'b', log: silentLog })).rejects.toThrow('WRONGPASS');
      await expect(RedisLink.open({ url: redis.url, name: 'c', log: silentLog })).rejects.toThrow('NOAUTH');
    } finally {
      await link.send(['CONFIG', 'SET', 'requirepass', '']);
    }
  });

  test('returns bytes unchanged on a link with bytes', async () => {
    await opened();
    const link = await RedisLink.open({ url: redis.url, name: 'bytes', log: silentLog, bytes: true });
    links.push(link);
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    await link.send(['SET', 'bytes', bytes]);
    expect(await link.send(['GET', 'bytes'])).toEqual(bytes);
  });
});
