import { expect, test } from 'bun:test';
import type { Coordinate, Logical } from 'lightweight-charts';
import { pixelOf, positionAt, positionOf, timeAt, viewOf } from './time-axis.ts';

/** Bars of a minute; a gap of ten minutes after the third. */
const bars = { candles: [0, 1, 2, 12, 13].map((minute) => ({ time: minute * 60_000 })), intervalMs: 60_000 };

test.each([
  [0, 0],
  [90_000, 1.5],
  [7 * 60_000, 2.5],
  [13 * 60_000, 4],
  [15 * 60_000, 6],
  [-60_000, -1],
])('the time %d is at position %d, and back', (time, position) => {
  expect(positionOf(bars, time)).toBeCloseTo(position, 9);
  expect(timeAt(bars, position)).toBeCloseTo(time, 6);
});

test('without bars there is no axis', () => {
  const none = { candles: [], intervalMs: 60_000 };
  expect([positionOf(none, 0), timeAt(none, 0)]).toEqual([null, null]);
});

test('a pixel between two bars is a position between them, although the library knows only whole bars', () => {
  const scale = {
    logicalToCoordinate: (at: number) => (Number.isInteger(at) ? 10 + at * 8 : 0) as Coordinate,
    coordinateToLogical: (x: number) => Math.ceil((x - 10) / 8) as Logical,
  };
  for (const [position, x] of [
    [0, 10],
    [2.25, 28],
    [-1.5, -2],
  ] as const) {
    expect(pixelOf(scale, position)).toBeCloseTo(x, 9);
    expect(positionAt(scale, x)).toBeCloseTo(position, 9);
  }
});

test('a range is shown with the space after the newest bar that it asks for, within limits', () => {
  const bars = (count: number) => ({
    candles: Array.from({ length: count }, (_, at) => ({ time: at * 60_000 })),
    intervalMs: 60_000,
  });
  const view = (count: number, from: number, to: number) =>
    viewOf(bars(count), { from: from * 60_000, to: to * 60_000 });
  // A trade that has just begun.
  expect(view(10, -5, 28)).toEqual({ from: 0, to: 28 });
  // A weekend after the last bar.
  expect(view(100, 10, 3_000)).toEqual({ from: 10, to: 124 });
  // No bar after the range.
  expect(view(100, 0, 99)).toEqual({ from: 0, to: 104 });
  expect(view(0, 0, 1)).toBeNull();
});
