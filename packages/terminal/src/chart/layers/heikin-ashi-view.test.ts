import { expect, test } from 'bun:test';
import type { PaneRendererCustomData, Time } from 'lightweight-charts';
import { HeikinAshiView } from './heikin-ashi-view.ts';

const point = { time: 60 as Time, open: 11, high: 16, low: 11, close: 14, price: 15 };

test('the base of a scale in percent is the close of the bar, as that of the other series', () => {
  const view = new HeikinAshiView(() => ({ up: 'green', down: 'red' }));
  // The library takes the last one as the value of the bar, and all of them as its range.
  expect(view.priceValueBuilder(point).at(-1)).toBe(point.price);
  expect(Math.min(...view.priceValueBuilder(point))).toBe(11);
  expect(Math.max(...view.priceValueBuilder(point))).toBe(16);
  expect(view.isWhitespace({ time: 60 })).toBe(true);
  expect(view.isWhitespace(point)).toBe(false);
});

test('draws wicks in the middle of bodies, in device pixels', () => {
  const view = new HeikinAshiView(() => ({ up: 'green', down: 'red' }));
  const falling = { ...point, open: 14, close: 12 };
  view.update({
    bars: [
      { x: 10, time: 0, originalData: point, barColor: '' },
      { x: 20, time: 1, originalData: falling, barColor: '' },
      { x: 30, time: 2, originalData: point, barColor: '' },
    ],
    barSpacing: 10,
    visibleRange: { from: 0, to: 2 },
    conflationFactor: 1,
  } as PaneRendererCustomData<Time, typeof point>);
  const drawn: unknown[][] = [];
  const context = {
    fillStyle: '',
    fillRect: (...at: readonly number[]) => void drawn.push([context.fillStyle, ...at]),
  };
  const target = {
    useBitmapCoordinateSpace: (run: (scope: unknown) => void) =>
      run({ context, horizontalPixelRatio: 2, verticalPixelRatio: 2 }),
  };
  view.renderer().draw(target as never, (price) => (100 - price) as never, false);
  expect(drawn).toEqual([
    ['green', 19, 168, 2, 11],
    ['green', 12, 172, 16, 7],
    ['red', 39, 168, 2, 11],
    ['red', 32, 172, 16, 5],
  ]);
});
