import { expect, test } from 'bun:test';
import { RedisUnavailable, replyWithin } from './redis-link.ts';

test('a reply in time is returned', async () => {
  expect(await replyWithin(1_000, Promise.resolve('reply'))).toBe('reply');
});

test('a reply that does not come is given up', async () => {
  const started = performance.now();
  await expect(replyWithin(50, new Promise(() => {}))).rejects.toThrow(new RedisUnavailable('no reply within 50 ms'));
  expect(performance.now() - started).toBeGreaterThanOrEqual(49);
});

test('a reply that came while this process stalled is returned', async () => {
  const reply = replyWithin(100, Bun.spawn(['sleep', '0.02']).exited);
  Bun.sleepSync(300);
  expect(await reply).toBe(0);
});
