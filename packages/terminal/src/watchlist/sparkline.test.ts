import { expect, test } from 'bun:test';
import { sparkPath } from './sparkline.ts';

const point = (time: number, price: number) => ({ time, price });

test('scales prices to the height and times to the width', () => {
  expect(sparkPath([point(0, 1), point(30, 3), point(40, 2)], 44, 24)).toEqual([
    [2, 22],
    [32, 2],
    [42, 12],
  ]);
});

test('a constant price is a line in the middle', () => {
  expect(sparkPath([point(0, 5), point(10, 5)], 44, 24)).toEqual([
    [2, 12],
    [42, 12],
  ]);
});

test('accepts no points and a single point', () => {
  expect(sparkPath([], 44, 24)).toEqual([]);
  expect(sparkPath([point(7, 5)], 44, 24)).toEqual([[2, 12]]);
});
