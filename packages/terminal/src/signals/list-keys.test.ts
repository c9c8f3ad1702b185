import { expect, test } from 'bun:test';
import { stepTo } from './list-keys.ts';

test('keys lead through the list and never out of it', () => {
  expect(stepTo('ArrowDown', 3, 10, 5)).toBe(4);
  expect(stepTo('ArrowUp', 0, 10, 5)).toBe(0);
  expect(stepTo('PageDown', 7, 10, 5)).toBe(9);
  expect(stepTo('PageUp', 7, 10, 5)).toBe(2);
  expect([stepTo('Home', 7, 10, 5), stepTo('End', 7, 10, 5)]).toEqual([0, 9]);
});

test('other keys are left alone', () => {
  for (const key of ['a', 'Enter', 'toString']) expect(stepTo(key, 3, 10, 5)).toBeNull();
});
