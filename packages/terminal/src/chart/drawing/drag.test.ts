import { expect, test } from 'bun:test';
import { Drag } from './drag.ts';
import type { Drawing } from './drawing.ts';

const line: Drawing = {
  ...{ id: 'a', kind: 'line', color: 'accent', width: 1, style: 'solid', text: '', changed: 0 },
  points: [
    { time: 10, price: 20 },
    { time: 30, price: 40 },
  ],
};
const view = {
  anchorAt: ({ x, y }: { readonly x: number; readonly y: number }) => ({ time: x, price: y }),
  shifted: (drawing: Drawing, by: { readonly x: number; readonly y: number }) => ({
    ...drawing,
    points: drawing.points.map(({ time, price }) => ({ time: time + by.x, price: price + by.y })),
  }),
};

test('a pointer that hardly moves clicks', () => {
  const drag = new Drag(line, -1, { x: 5, y: 5 });
  drag.move({ x: 7, y: 5 }, view, false);
  expect([drag.moved, drag.now]).toEqual([false, line]);
});

test('drags the whole, or the handle it holds; back at the start counts as moved', () => {
  const whole = new Drag(line, -1, { x: 5, y: 5 });
  whole.move({ x: 15, y: 6 }, view, false);
  expect(whole.now.points).toEqual([
    { time: 20, price: 21 },
    { time: 40, price: 41 },
  ]);
  whole.move({ x: 5, y: 5 }, view, false);
  expect([whole.moved, whole.now]).toEqual([true, line]);
  const handle = new Drag(line, 1, { x: 30, y: 40 });
  handle.move({ x: 50, y: 60 }, view, false);
  expect(handle.now.points).toEqual([line.points[0]!, { time: 50, price: 60 }]);
});
