import { expect, test } from 'bun:test';
import { paceOf } from './pace.ts';

test('turns asked for at once come one after the other at the pace, the first at once', async () => {
  const pace = paceOf(40);
  const began = performance.now();
  const turns = await Promise.all([1, 2, 3].map(() => pace().then(() => performance.now() - began)));
  expect(turns[0]).toBeLessThan(30);
  // A timer may fire a fraction of a millisecond early.
  expect(turns[1]! - turns[0]!).toBeGreaterThan(30);
  expect(turns[2]!).toBeGreaterThan(78);
});

test('a turn after a rest is not waited for', async () => {
  const pace = paceOf(20);
  await pace();
  await Bun.sleep(30);
  const began = performance.now();
  await pace();
  expect(performance.now() - began).toBeLessThan(15);
});
