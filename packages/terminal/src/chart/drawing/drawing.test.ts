import { expect, test } from 'bun:test';
import { type Anchor, type Drawing, type DrawingKind, levelsOf, nameOf, ratioOf, withPoint } from './drawing.ts';
import { clipped, distanceTo, isInside, parallelOffset, prolonged } from './geometry.ts';
import { hit } from './hit.ts';
import { fibonacciLevels, measured, type ShapeView, shapeOf, wrapped } from './shape.ts';

/** One pixel for each unit of time, and downwards from 100 for each unit of price. */
const view: ShapeView = {
  width: 200,
  height: 100,
  digits: 2,
  pip: null,
  xOf: (time) => time,
  yOf: (price) => 100 - price,
  barsBetween: (from, to) => (to - from) / 10,
};

const drawing = (kind: DrawingKind, ...points: readonly (readonly [time: number, price: number])[]): Drawing => ({
  id: 'a',
  kind,
  points: points.map(([time, price]) => ({ time, price })),
  color: 'accent',
  width: 2,
  style: 'solid',
  text: '',
  changed: 0,
});
const shape = (of: Drawing) => shapeOf(of, view)!;
const at = (x: number, y: number) => ({ x, y });

test('a trend line is hit near the line and its ends, not beyond them', () => {
  const line = shape(drawing('line', [10, 90], [110, 90]));
  expect(hit(line, at(60, 14), false, 6)).toBe(-1);
  expect(hit(line, at(60, 20), false, 6)).toBeNull();
  expect(hit(line, at(130, 10), false, 6)).toBeNull();
  // A finger reaches further.
  expect(hit(line, at(60, 25), false, 18)).toBe(-1);
});

test('handles are hit only if the drawing is selected, the nearest one first', () => {
  const line = shape(drawing('line', [10, 90], [22, 90]));
  expect(hit(line, at(11, 10), false, 6)).toBe(-1);
  expect(hit(line, at(12, 10), true, 6)).toBe(0);
  expect(hit(line, at(20, 10), true, 6)).toBe(1);
});

test('a ray goes on beyond its second anchor, and not before the first', () => {
  const ray = shape(drawing('ray', [100, 50], [110, 60]));
  expect(hit(ray, at(140, 10), false, 3)).toBe(-1);
  expect(hit(ray, at(80, 70), false, 3)).toBeNull();
});

test('horizontal and vertical lines cross the whole pane', () => {
  expect(hit(shape(drawing('horizontal', [5, 40])), at(199, 60), false, 3)).toBe(-1);
  expect(hit(shape(drawing('vertical', [5, 40])), at(5, 99), false, 3)).toBe(-1);
});

test('a rectangle is grabbed at its border, and inside once it is selected', () => {
  const box = shape(drawing('rectangle', [20, 80], [120, 20]));
  expect(hit(box, at(70, 20), false, 4)).toBe(-1);
  expect(hit(box, at(70, 50), false, 4)).toBeNull();
  expect(hit(box, at(70, 50), true, 4)).toBe(-1);
});

test('the second line of a channel is parallel and goes through the third anchor', () => {
  const { lines, areas } = shape(drawing('channel', [0, 10], [100, 60], [50, 65]));
  const [first, second] = lines;
  expect([first!.from, first!.to]).toEqual([at(0, 90), at(100, 40)]);
  expect([second!.from, second!.to]).toEqual([at(0, 60), at(100, 10)]);
  expect(distanceTo(second!, at(50, 35))).toBeCloseTo(0, 9);
  expect(isInside(areas[0]!.corners, at(50, 50))).toBe(true);
  expect(isInside(areas[0]!.corners, at(50, 80))).toBe(false);
});

test('a channel along a vertical line lies beside it', () => {
  expect(parallelOffset({ from: at(10, 0), to: at(10, 50) }, at(40, 20))).toEqual(at(30, 0));
});

test('Fibonacci levels go from the end of the move back to its start', () => {
  expect(fibonacciLevels(100, 200).map(({ level, price }) => [level, Number(price.toFixed(6))])).toEqual([
    [0, 200],
    [0.236, 176.4],
    [0.382, 161.8],
    [0.5, 150],
    [0.618, 138.2],
    [0.786, 121.4],
    [1, 100],
  ]);
  const { lines, texts } = shape(drawing('fibonacci', [10, 0], [110, 100]));
  expect(lines).toHaveLength(8);
  expect(texts.map(({ lines: [text] }) => text)).toContain('0.618 (38.20)');
});

test('Fibonacci labels never cover each other, however small the move', () => {
  const { texts } = shape(drawing('fibonacci', [10, 40], [110, 60]));
  const heights = texts.map(({ at: { y } }) => y);
  expect(heights.slice(1).every((y, index) => Math.abs(y - heights[index]!) >= 14)).toBe(true);
});

test('a position has R, and the size of both zones', () => {
  const long = drawing('position', [20, 50], [120, 40], [120, 70]);
  expect(ratioOf(long.points)).toBe(2);
  const texts = shape(long).texts.map(({ lines: [text] }) => text);
  expect(texts).toEqual(['Target 70.00  +20.00 (+40.00%)  2.00 R', 'Stop 40.00  −10.00 (−20.00%)']);
  expect(nameOf(long)).toBe('Long position');
  // At the right edge, the texts stay inside the pane.
  const wide = { ...view, width: 900 };
  const [text] = shapeOf(drawing('position', [880, 50], [980, 40], [980, 70]), wide)!.texts;
  expect(text!.at.x).toBeLessThan(900 - text!.lines[0]!.length * 6);
  expect(hit(shape(long), at(60, 40), false, 4)).toBe(-1);
});

test('a stop moved across the entry turns a long position into a short one with the same reward', () => {
  const long = drawing('position', [20, 50], [120, 40], [120, 70]);
  const short = withPoint(long, 1, { time: 150, price: 55 });
  expect(short.points).toEqual([
    { time: 20, price: 50 },
    { time: 150, price: 55 },
    { time: 150, price: 30 },
  ] satisfies readonly Anchor[]);
  expect([nameOf(short), ratioOf(short.points)]).toEqual(['Short position', 4]);
  // And back by its target.
  expect(nameOf(withPoint(short, 2, { time: 150, price: 60 }))).toBe('Long position');
});

test('the levels of a position are those of a ticket', () => {
  expect(levelsOf(drawing('position', [20, 50], [120, 55], [120, 30]))).toEqual({
    ...{ direction: 'sell', entry: 50, stop: 55, targets: [30] },
  });
});

test('a position without risk has no R', () => {
  expect(ratioOf(drawing('position', [0, 5], [1, 5], [1, 9]).points)).toBe(0);
});

test('a measure says price, percent, bars and time', () => {
  const [from, to] = [
    { time: 0, price: 100 },
    { time: 5_400_000, price: 97 },
  ];
  const bars = { digits: 2, pip: null, barsBetween: () => 18 };
  expect(measured(from, to, bars)).toEqual(['−3.00 (−3.00%)', '+18 bars, 1h 30m']);
  expect(measured(to, from, { ...bars, barsBetween: () => -1 })[1]).toBe('−1 bar, −1h 30m');
});

test('a measure and both zones of a position have pips where the instrument has them', () => {
  const forex = { ...view, digits: 5, pip: 0.0001 };
  const [from, to] = [
    { time: 0, price: 1.1 },
    { time: 10, price: 1.1012 },
  ];
  expect(measured(from, to, forex)[0]).toBe('+0.00120 (+12.0 pips, +0.11%)');
  const long = drawing('position', [20, 1.1], [120, 1.099], [120, 1.102]);
  const [target, stop] = shapeOf(long, forex)!.texts.map(({ lines: [text] }) => text);
  expect(target).toBe('Target 1.10200  +0.00200 (+20.0 pips, +0.18%)  2.00 R');
  expect(stop).toBe('Stop 1.09900  −0.00100 (−10.0 pips, −0.09%)');
});

test('a drawing has its line style; the middle of a channel stays dashed', () => {
  const dotted = { ...drawing('channel', [0, 10], [100, 60], [50, 65]), style: 'dotted' as const };
  expect(shape(dotted).lines.map(({ style }) => style)).toEqual(['dotted', 'dotted', 'dashed']);
});

test('text is wrapped at spaces, and a word without any is cut', () => {
  expect(wrapped('resistance of the last three weeks, watch the close')).toEqual([
    'resistance of the last three weeks,',
    'watch the close',
  ]);
  expect(wrapped('x'.repeat(90)).map((line) => line.length)).toEqual([40, 40, 10]);
  expect(wrapped('   ')).toEqual([]);
});

test('lines far outside are cut at the pane, or not drawn at all', () => {
  const long = clipped({ from: at(-1e9, 50), to: at(1e9, 50) }, view)!;
  expect([long.from.x, long.to.x].map(Math.round)).toEqual([-20, 220]);
  expect(clipped({ from: at(0, 500), to: at(200, 500) }, view)).toBeNull();
  const { to } = prolonged({ from: at(0, 0), to: at(1, 1) }, view);
  expect(to.x).toBeGreaterThan(200);
});

test('a drawing has no shape while the chart has no scale', () => {
  expect(shapeOf(drawing('line', [0, 0], [1, 1]), { ...view, yOf: () => null })).toBeNull();
  expect(shapeOf(drawing('line', [0, 0], [1, 1]), { ...view, xOf: () => Number.NaN })).toBeNull();
});
