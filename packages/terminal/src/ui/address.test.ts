import { expect, test } from 'bun:test';
import { partsOf, pathOf } from './address.ts';

test('reads back any text written into an address', () => {
  for (const parts of [
    [],
    ['markets', 'BTC/USD', '5m'],
    ['markets', 'BTCUSDT.P', '1h'],
    ['publishers', 'Ann & Bob? #1 100%'],
  ])
    expect(partsOf(new URL(pathOf(...parts), 'http://localhost').pathname)).toEqual(parts);
});

test('rejects a malformed address', () => {
  expect(partsOf('/markets/%')).toBeNull();
});
