// The page has its own implementation, independent of the contract's; here they are compared.
import { expect, test } from 'bun:test';
import { canonicalJson } from '@tickwire/contract';
import fc from 'fast-check';
import { bytesOf, canonicalText, type Json, sha256Hex } from './canonical.ts';

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
});

test('hashes UTF-8 and parses hex', async () => {
  expect(await sha256Hex('abc', crypto.subtle)).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  expect(await sha256Hex('€', crypto.subtle)).toBe(new Bun.CryptoHasher('sha256').update('€').digest('hex'));
  expect([...(bytesOf('00ff10') ?? [])]).toEqual([0, 255, 16]);
  expect(bytesOf('0g')).toBeNull();
});
