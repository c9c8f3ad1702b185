import { expect, test } from 'bun:test';
import { gaussian, keyed, uniform } from './noise.ts';

test('gaussian() has mean 0, variance 1 and no correlation', () => {
  const count = 200_000;
  let sum = 0;
  let squares = 0;
  let products = 0;
  let previous = 0;
  for (let word = 0; word < count; word++) {
    const value = gaussian(word);
    sum += value;
    squares += value * value;
    products += value * previous;
    previous = value;
  }
  expect(Math.abs(sum / count)).toBeLessThan(0.01);
  expect(squares / count).toBeCloseTo(1, 1);
  expect(Math.abs(products / count)).toBeLessThan(0.01);
});

test('keyed() uses all bits of integers beyond 32 bits', () => {
  expect(keyed(1, 5)).not.toBe(keyed(1, 5 + 2 ** 32));
  expect(keyed(1, 5)).toBe(keyed(1, 5));
  const mean =
    Array.from({ length: 10_000 }, (_, at) => uniform(keyed(3, 1.4e10 + at))).reduce((a, b) => a + b) / 10_000;
  expect(mean).toBeCloseTo(0.5, 1);
});
