import { expect, test } from 'bun:test';
import { deltaHeight, sizeWidth } from './footprint-layer.ts';
import { labelHeight } from './profile-layer.ts';

test('the label of a profile line is whole at the edges of the pane, and absent outside of it', () => {
  expect([-1, 0, 100, 300, 301].map((y) => labelHeight(y, 300))).toEqual([null, 6.5, 100, 293.5, null]);
});

test('the delta below a footprint stays inside the pane', () => {
  expect([100, 295, 400].map((low) => deltaHeight(low, 300))).toEqual([110, 294, 294]);
});

test('a long size has half of its cell at most, without the mark of an imbalance', () => {
  expect(sizeWidth(70)).toBe(27);
});
