import { expect, test } from 'bun:test';
import { narrowestBar, RIGHT_OFFSET } from './chart-view.ts';

test('zooming out ends where the loaded bars fill the pane', () => {
  const narrowest = narrowestBar(1_012, 500);
  expect(narrowest).toBe(2);
  expect(narrowest * (500 + RIGHT_OFFSET)).toBe(1_012);
});

test('free space after the newest bar takes its part of the pane', () => {
  expect(narrowestBar(1_000, 30, 20)).toBe(20);
});

test('many bars are never narrower than half a pixel, and few never wider than 48', () => {
  expect([narrowestBar(1_000, 20_000), narrowestBar(1_000, 3), narrowestBar(1_000, 0)]).toEqual([0.5, 48, 0.5]);
});
