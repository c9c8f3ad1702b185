import { expect, test } from 'bun:test';
import { Noise, PUBLIC_NOISE, uniform } from './noise.ts';

test('a draw is the published Chaskey tag of a block', () => {
  // Vector 16 of the authors: the message is the bytes 0 to 15.
  const noise = new Noise(0x833d3433, 0x009f389f, 0x2398e64f, 0x417acf39);
  // Words of the block: 0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c. The last one of a draw is 0, so it goes into the key.
  const block = tag([0x833d3433, 0x009f389f, 0x2398e64f, 0x417acf39], [0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c]);
  expect(block).toEqual([0x79271ca9, 0xd66a1c71, 0x81ca474e, 0x49831cad]);
  const value = 0x07060504 * 2 ** 24 + 0x03020100;
  const words = [value % 2 ** 32, Math.floor(value / 2 ** 32), 0x0b0a0908, 0];
  const { a, b, c, d } = noise.draw(value, 0x0b0a0908);
  expect([a, b, c, d].map((word) => word >>> 0)).toEqual(tag([0x833d3433, 0x009f389f, 0x2398e64f, 0x417acf39], words));
});

test('gaussian() has mean 0, variance 1 and no correlation', () => {
  const count = 200_000;
  let sum = 0;
  let squares = 0;
  let products = 0;
  let previous = 0;
  for (let at = 0; at < count; at++) {
    const value = PUBLIC_NOISE.gaussian(at);
    sum += value;
    squares += value * value;
    products += value * previous;
    previous = value;
  }
  expect(Math.abs(sum / count)).toBeLessThan(0.01);
  expect(squares / count).toBeCloseTo(1, 1);
  expect(Math.abs(products / count)).toBeLessThan(0.01);
});

test('a draw uses all bits of key, value and purpose', () => {
  const first = (noise: Noise, value: number, purpose = 0): number => noise.draw(value, purpose).a;
  const words = new Set<number>();
  for (let bit = 0; bit < 32; bit++) {
    for (let word = 0; word < 4; word++) {
      const key = [0, 0, 0, 0];
      key[word] = 1 << bit;
      words.add(first(new Noise(key[0]!, key[1]!, key[2]!, key[3]!), 5));
    }
    words.add(first(PUBLIC_NOISE, 5, 1 << bit));
  }
  for (let bit = 3; bit < 53; bit++) words.add(first(PUBLIC_NOISE, 5 + 2 ** bit));
  expect(words.size).toBe(5 * 32 + 50);
  const mean = Array.from({ length: 10_000 }, (_, at) => uniform(first(PUBLIC_NOISE, 1.4e10 + at))).reduce(
    (a, b) => a + b,
  );
  expect(mean / 10_000).toBeCloseTo(0.5, 1);
});

test('derived noise depends on every letter of its name', () => {
  const names = ['USD', 'EUR', 'US', 'USDX', 'ticks:EURUSD', 'ticks:USDEUR', ''];
  expect(new Set(names.map((name) => PUBLIC_NOISE.named(name).draw(1).a)).size).toBe(names.length);
});

/** Chaskey of one whole block with arbitrary precision, written from its definition. */
function tag(key: readonly number[], block: readonly number[]): number[] {
  const MASK = (1n << 128n) - 1n;
  const joined = (words: readonly number[]): bigint =>
    words.reduceRight((sum, word) => (sum << 32n) | BigInt(word >>> 0), 0n);
  const whole = joined(key);
  const twice = ((whole << 1n) & MASK) ^ (whole >> 127n ? 0x87n : 0n);
  let state = joined(block) ^ whole ^ twice;
  const word = (at: number): bigint => (state >> BigInt(32 * at)) & 0xffffffffn;
  const rotated = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (32n - by))) & 0xffffffffn;
  for (let round = 0; round < 8; round++) {
    let [v0, v1, v2, v3] = [word(0), word(1), word(2), word(3)];
    v0 = (v0 + v1) & 0xffffffffn;
    v1 = rotated(v1, 5n) ^ v0;
    v0 = rotated(v0, 16n);
    v2 = (v2 + v3) & 0xffffffffn;
    v3 = rotated(v3, 8n) ^ v2;
    v0 = (v0 + v3) & 0xffffffffn;
    v3 = rotated(v3, 13n) ^ v0;
    v2 = (v2 + v1) & 0xffffffffn;
    v1 = rotated(v1, 7n) ^ v2;
    v2 = rotated(v2, 16n);
    state = v0 | (v1 << 32n) | (v2 << 64n) | (v3 << 96n);
  }
  state ^= twice;
  return [0, 1, 2, 3].map((at) => Number(word(at)));
}
