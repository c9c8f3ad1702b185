// The exponent of growth.
import { expect, test } from 'bun:test';
import { exponentOf } from './growth.ts';

test.each([0, 0.5, 1, 2])('finds the exponent %p of a power', (exponent) => {
  const costs = [1, 7, 30, 365].map((size) => [size, 3 * size ** exponent] as const);
  expect(exponentOf(costs)).toBeCloseTo(exponent, 10);
});

test('weighs every size alike', () => {
  expect(
    exponentOf([
      [10, 2],
      [100, 2],
      [1_000, 4],
    ]),
  ).toBeCloseTo(Math.log10(2) / 2, 10);
});
