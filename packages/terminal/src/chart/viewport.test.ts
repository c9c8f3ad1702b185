import { expect, test } from 'bun:test';
import { Viewport } from './viewport.ts';

test('a point on the plot and the bar drawn there are each other', () => {
  const view = new Viewport();
  view.pan(133, 300);
  const [first, last] = view.range(300, 800);
  for (let index = first + 1; index < last; index++) {
    expect(view.indexAt(view.x(index, 300, 800), 300, 800)).toBe(index);
  }
});

test('the range covers the plot and never leaves the bars there are', () => {
  const view = new Viewport();
  expect(view.range(5, 800)).toEqual([0, 4]);
  const [first, last] = view.range(300, 800);
  expect(last).toBe(299);
  expect(view.x(first, 300, 800)).toBeLessThanOrEqual(view.pixelsPerBar);
});

test('panning stops at both ends', () => {
  const view = new Viewport();
  view.pan(-500, 300);
  expect(view.following).toBe(true);
  view.pan(1e9, 300);
  expect(view.range(300, 800)[1]).toBeGreaterThanOrEqual(9);
  view.follow();
  expect(view.following).toBe(true);
});

test('zooming keeps a bar between a hair and a finger wide', () => {
  const view = new Viewport();
  view.zoom(1e6);
  expect(view.pixelsPerBar).toBe(28);
  view.zoom(1e-9);
  expect(view.pixelsPerBar).toBe(2.5);
});
