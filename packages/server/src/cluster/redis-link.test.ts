import { expect, test } from 'bun:test';
import { RedisUnavailable, replyInTime } from './redis-link.ts';

test('a reply in time is returned', async () => {
  expect(await replyInTime(Promise.resolve('reply'), 1_000)).toBe('reply');
});

test('a reply that does not come is given up', async () => {
  await expect(replyInTime(new Promise(() => {}), 50)).rejects.toThrow(new RedisUnavailable('no reply within 50 ms'));
});

test('a reply that came while this process stalled is returned', async () => {
  const reply = replyInTime(Bun.file(import.meta.path).text(), 100);
  Bun.sleepSync(150);
  expect(await reply).toContain('this process stalled');
});
