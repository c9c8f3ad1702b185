import { expect, test } from 'bun:test';
import { DAY_MS } from '@tickwire/engine';
import { DeliveryAllowance } from './delivery-allowance.ts';

test('refuses messages beyond the limit of the day, and tells when there are too many to write them down', () => {
  let now = 10 * DAY_MS;
  const allowance = new DeliveryAllowance(() => now);
  const take = () => allowance.take('a', { limit: 2, tier: 'free' });
  expect([take(), take()]).toEqual([null, null]);
  const flooded = Array.from({ length: 102 }, () => [take(), allowance.isFlooded('a', 2)] as const);
  expect(flooded[0]).toEqual(['The free tier allows 2 messages per day (UTC).', false]);
  expect(flooded.filter(([, isFlooded]) => !isFlooded)).toHaveLength(100);
  expect(allowance.isFlooded('b', 2)).toBe(false);
  now += DAY_MS;
  expect([take(), allowance.isFlooded('a', 2)]).toEqual([null, false]);
});

test('messages that are not written after all do not count', () => {
  const allowance = new DeliveryAllowance(() => 10 * DAY_MS);
  const take = () => allowance.take('a', { limit: 1, tier: 'free' });
  expect(take()).toBeNull();
  allowance.giveBack('a', 1);
  expect(take()).toBeNull();
  expect(take()).not.toBeNull();
});
