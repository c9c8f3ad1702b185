import { expect, test } from 'bun:test';
import { decimals } from './market-in-ticks.ts';

test('counts the decimals of a price', () => {
  const cases: [number, number][] = [
    [1.08412, 5],
    [2412.3, 1],
    [67120, 0],
    [1e-7, 7],
    [1.5e-7, 8],
    [1e21, 0],
  ];
  for (const [price, expected] of cases) expect(decimals(price)).toBe(expected);
});
