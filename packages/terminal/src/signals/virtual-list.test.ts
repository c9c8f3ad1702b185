import { expect, test } from 'bun:test';
import { stepTo } from './virtual-list.ts';

test('keys move within the list', () => {
  expect(stepTo('ArrowDown', 3, 10, 5)).toBe(4);
  expect(stepTo('ArrowUp', 0, 10, 5)).toBe(0);
  expect(stepTo('PageDown', 7, 10, 5)).toBe(9);
  expect(stepTo('PageUp', 7, 10, 5)).toBe(2);
  expect([stepTo('Home', 7, 10, 5), stepTo('End', 7, 10, 5)]).toEqual([0, 9]);
});

test('ignores other keys', () => {
  for (const key of ['a', 'Enter', 'toString']) expect(stepTo(key, 3, 10, 5)).toBeNull();
});
