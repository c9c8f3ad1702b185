import { expect, test } from 'bun:test';
import { partsOf, pathOf } from './address.ts';

test('what is put into an address is read from it again, whatever stands in it', () => {
  for (const parts of [[], ['markets', 'BTC/USD', '5m'], ['publishers', 'Ann & Bob? #1 100%']])
    expect(partsOf(new URL(pathOf(...parts), 'http://localhost').pathname)).toEqual(parts);
});

test('nonsense is no address', () => {
  expect(partsOf('/markets/%')).toBeNull();
});
