import { expect, test } from 'bun:test';
import { swipeOf } from './swipe.ts';

const from = { x: 200, y: 100, at: 0 };

test('a quick horizontal movement is a swipe: to the left it shows the next', () => {
  expect([swipeOf(from, { x: 120, y: 110, at: 200 }), swipeOf(from, { x: 280, y: 90, at: 200 })]).toEqual([1, -1]);
});

test('a tap, a slow drag and scrolling are no swipes', () => {
  const others = [
    { x: 190, y: 100, at: 100 },
    { x: 100, y: 100, at: 2_000 },
    { x: 140, y: 300, at: 200 },
  ];
  expect(others.map((to) => swipeOf(from, to))).toEqual([null, null, null]);
});
