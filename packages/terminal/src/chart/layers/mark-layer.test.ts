import { expect, test } from 'bun:test';
import type { ISeriesApi, ISeriesPrimitive, SeriesType, Time } from 'lightweight-charts';
import { type Mark, MarkLayer } from './mark-layer.ts';

/** A series at one pixel per unit of price, downwards from 100, and ten pixels per unit of time. */
function drawn(marks: readonly Mark[]) {
  let updates = 0;
  const scale = {
    timeToCoordinate: (time: number) => (time < 0 ? null : time * 10),
    options: () => ({ barSpacing: 10 }),
  };
  const series = {
    attachPrimitive: (layer: ISeriesPrimitive<Time>) =>
      layer.attached!({
        series,
        chart: { timeScale: () => scale },
        requestUpdate: () => updates++,
      } as never),
    priceToCoordinate: (price: number) => 100 - price,
  };
  const layer = new MarkLayer(series as unknown as ISeriesApi<SeriesType>, () => ({
    font: '11px sans-serif',
    panel: 'white',
  }));
  layer.show(marks);
  const draw = () => {
    const strokes: unknown[][] = [];
    const note =
      (name: string) =>
      (...values: readonly unknown[]): void =>
        void strokes.push([name, ...values]);
    const context = Object.fromEntries(
      ['beginPath', 'closePath', 'arc', 'rect', 'moveTo', 'lineTo', 'fill', 'stroke', 'strokeText', 'fillText'].map(
        (each) => [each, note(each)],
      ),
    );
    // Six pixels for a letter.
    Object.assign(context, { measureText: (text: string) => ({ width: text.length * 6 }) });
    const scope = { context, mediaSize: { width: 200, height: 100 } };
    const target = { useMediaCoordinateSpace: (run: (scope: unknown) => void) => run(scope) };
    layer
      .paneViews()[0]!
      .renderer()!
      .draw(target as never);
    return strokes.filter(([name]) => !['beginPath', 'closePath', 'fill', 'strokeText'].includes(String(name)));
  };
  return { layer, draw, updates: () => updates };
}

const mark = (more: Partial<Mark>): Mark => ({
  time: 5 as Time,
  price: () => 40,
  side: 'above',
  shape: 'circle',
  color: 'red',
  ...more,
});

test('draws a mark above or below its point, and a triangle points at it', () => {
  const { draw } = drawn([mark({ text: '3' }), mark({ time: 8 as Time, side: 'below', shape: 'triangle' })]);
  expect(draw()).toEqual([
    ['arc', 50, 52, 4, 0, 2 * Math.PI],
    ['moveTo', 80, 64],
    ['lineTo', 76, 72],
    ['lineTo', 84, 72],
    ['fillText', '3', 50, 46],
  ]);
});

test('leaves out texts that would lie over each other, over a mark, or over the bars beside theirs', () => {
  const texts = (...marks: readonly Partial<Mark>[]) =>
    drawn(marks.map(mark))
      .draw()
      .filter(([name]) => name === 'fillText')
      .map(([, text]) => text);
  const at = (time: number, text?: string): Partial<Mark> => ({ time: time as Time, ...(text && { text }) });
  expect(texts(at(3, 'US'), at(6, 'EU'))).toEqual(['US', 'EU']);
  expect(texts(at(3, 'US'), at(4, 'EU'))).toEqual([]);
  expect(texts(at(3, 'US DE'), at(6, 'EU GB JP'))).toEqual(['US DE']);
  expect(texts(at(3, 'US'), at(4))).toEqual([]);
  // Its own bar ends at 40; one beside it ends higher, at 60.
  expect(texts({ text: 'US', price: (around = 0) => (around > 0 ? 60 : 40) })).toEqual([]);
  expect(texts({ text: 'US', price: (around = 0) => (around > 0 ? 50 : 40) })).toEqual(['US']);
});

test('follows a moving point, and draws nothing without a point or out of view', () => {
  let price: number | null = 40;
  const { draw } = drawn([mark({ price: () => price }), mark({ time: -1 as Time }), mark({ time: 30 as Time })]);
  expect(draw()).toHaveLength(1);
  price = 60;
  expect(draw()).toEqual([['arc', 50, 32, 4, 0, 2 * Math.PI]]);
  price = null;
  expect(draw()).toEqual([]);
});

test('reserves room only on sides with marks', () => {
  const margins = (marks: readonly Mark[]) => drawn(marks).layer.autoscaleInfo()?.margins;
  expect(margins([])).toBeUndefined();
  expect(margins([mark({ side: 'below' })])).toEqual({ above: 0, below: 12 });
  expect(margins([mark({}), mark({ side: 'below' })])).toEqual({ above: 12, below: 12 });
});

test('requests an update only if marks change', () => {
  const { layer, updates } = drawn([]);
  expect(updates()).toBe(0);
  layer.show([mark({})]);
  layer.show([]);
  layer.show([]);
  expect(updates()).toBe(2);
});

test('marks at a price have their own shapes, and an edge over the bar', () => {
  const { draw, layer } = drawn([
    mark({ side: 'at', shape: 'square', edge: 'white' }),
    mark({ side: 'at', shape: 'diamond' }),
  ]);
  expect(draw()).toEqual([
    ['rect', 46, 56, 8, 8],
    ['stroke'],
    ['moveTo', 50, 55],
    ['lineTo', 45, 60],
    ['lineTo', 50, 65],
    ['lineTo', 55, 60],
  ]);
  // They lie within the prices, so they need no room beside them.
  expect(layer.autoscaleInfo()?.margins).toEqual({ above: 0, below: 0 });
});
