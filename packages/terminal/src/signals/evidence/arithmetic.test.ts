// The page has its own implementation, independent of the contract's; here they are compared.
import { expect, test } from 'bun:test';
import { canonicalJson, meanExitPrice, profitOf, WHOLE } from '@tickwire/contract';
import fc from 'fast-check';
import { isWhole, meanPrice, resultOf } from './arithmetic.ts';
import { bytesOf, canonicalText, type Json, sha256Hex } from './canonical.ts';

const instrument = fc.constantFrom(
  { digits: 5, pipSize: 0.0001 },
  { digits: 3, pipSize: 0.01 },
  { digits: 2, pipSize: 1 },
  { digits: 2, pipSize: 0.25 },
  { digits: 8, pipSize: 0.000001 },
  { digits: 0, pipSize: 1 },
);

test('computes the same figures as the service, to the last digit', () => {
  const ticks = fc.integer({ min: 1, max: 20_000_000 });
  const side = fc.constantFrom('buy' as const, 'sell' as const);
  const rules = fc.constantFrom(1 as const, 2 as const);
  const share = fc.integer({ min: 1, max: WHOLE - 1 });
  fc.assert(
    fc.property(
      fc.tuple(ticks, ticks, ticks, ticks, ticks),
      side,
      instrument,
      rules,
      share,
      ([entry, entryPrice, stopLoss, first, second], direction, spec, version, part) => {
        const base = direction === 'buy' ? Math.max(entry, entryPrice) : Math.min(entry, entryPrice);
        fc.pre(base !== stopLoss && entry !== stopLoss);
        const price = (value: number): number => Number((value / 10 ** spec.digits).toFixed(spec.digits));
        const parts = [
          { fraction: part, price: first },
          { fraction: WHOLE - part, price: second },
        ];
        const prices = { entry: price(entry), entryPrice: price(entryPrice), stopLoss: price(stopLoss) };
        const exits = parts.map((each) => ({ fraction: each.fraction / WHOLE, price: price(each.price) }));
        expect(resultOf({ rules: version, direction, ...prices, exits, ...spec })).toEqual(
          profitOf({ rules: version, direction, entry, entryPrice, stopLoss, exits: parts, ...spec }),
        );
        expect(meanPrice(exits, spec.digits)).toBe(meanExitPrice(parts, spec.digits));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('has no result if it cannot be computed', () => {
  const exits = [{ fraction: 1, price: 2 }];
  const trade = { rules: 1, entry: 1, entryPrice: 1, stopLoss: 1, exits, digits: 2, pipSize: 0.01 };
  expect(resultOf({ direction: 'buy', ...trade })).toBeNull();
  expect(resultOf({ direction: 'buy', ...trade, stopLoss: 0.5, pipSize: 0 })).toBeNull();
});

test('detects a price with too many decimals', () => {
  expect(isWhole(1.08345, 5)).toBe(true);
  expect(isWhole(1.083451, 5)).toBe(false);
  expect(isWhole(-1, 5)).toBe(false);
});

test('writes any JSON like the contract', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      fc.pre(JSON.stringify(value) === JSON.stringify(JSON.parse(JSON.stringify(value))));
      let expected: string;
      try {
        expected = canonicalJson(value);
      } catch {
        return;
      }
      expect(canonicalText(JSON.parse(JSON.stringify(value)) as Json)).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
}, 30_000);

test('hashes UTF-8 and parses hex', async () => {
  expect(await sha256Hex('abc', crypto.subtle)).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  expect(await sha256Hex('€', crypto.subtle)).toBe(new Bun.CryptoHasher('sha256').update('€').digest('hex'));
  expect([...(bytesOf('00ff10') ?? [])]).toEqual([0, 255, 16]);
  expect(bytesOf('0g')).toBeNull();
});
