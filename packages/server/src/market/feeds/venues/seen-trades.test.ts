import { expect, test } from 'bun:test';
import { asSymbol, MINUTE_MS } from '@tickwire/engine';
import { SeenTrades } from './seen-trades.ts';

const [BTC, ETH] = [asSymbol('BTC'), asSymbol('ETH')];

test('knows a trade again, in any order of ids, and by its symbol', () => {
  const seen = new SeenTrades();
  expect([5, 9, 1, 9, 5, 2].map((id) => seen.add(BTC, id))).toEqual([true, true, true, false, false, true]);
  expect(seen.add(ETH, 5)).toBe(true);
});

test('remembers the last 10,000 of each symbol, and forgets those long before', () => {
  const seen = new SeenTrades();
  for (let id = 0; id < 50_000; id++) seen.add(BTC, id);
  for (let id = 0; id < 10; id++) seen.add(ETH, id);
  expect(seen.add(BTC, 40_000)).toBe(false);
  expect(seen.add(BTC, 0)).toBe(true);
  expect(seen.add(ETH, 0)).toBe(false);
});

test('forgets trades after some minutes, but not those of the last two', () => {
  let time = 0;
  const seen = new SeenTrades(() => time);
  for (let id = 0; id < 100; id++) seen.add(BTC, id);
  time = 2 * MINUTE_MS - 1;
  for (let id = 100; id < 200; id++) seen.add(BTC, id);
  time += 2 * MINUTE_MS - 1;
  expect(seen.add(BTC, 150)).toBe(false);
  time += 2 * MINUTE_MS;
  seen.add(ETH, 1);
  time += 2 * MINUTE_MS;
  seen.add(ETH, 2);
  time += 2 * MINUTE_MS;
  seen.add(ETH, 3);
  expect(seen.size).toBeLessThanOrEqual(3);
});
