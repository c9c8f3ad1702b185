import { expect, test } from 'bun:test';
import { placeLabel } from './level-labels.ts';

test('a label is at the left edge, and beside others of nearly the same height', () => {
  const first = { left: 10, right: 110, y: 50 };
  expect(placeLabel([], 50, 100, 500)).toBe(10);
  expect(placeLabel([first], 58, 60, 500)).toBe(116);
  expect(placeLabel([first], 80, 60, 500)).toBe(10);
  expect(placeLabel([first, { left: 116, right: 176, y: 58 }], 54, 40, 500)).toBe(182);
});

test('a label that would reach the newest bars is left out', () => {
  expect(placeLabel([], 50, 100, 105)).toBeNull();
  expect(placeLabel([{ left: 10, right: 110, y: 50 }], 50, 100, 200)).toBeNull();
});
