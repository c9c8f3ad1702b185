import { expect, test } from 'bun:test';
import { type ISeriesApi, type Logical, PriceScaleMode } from 'lightweight-charts';
import { OverlayLayer, type OverlayLine } from './overlay-layer.ts';

/** Ten pixels for each bar and each percent above 100, the first visible close. */
function chartOf(mode: PriceScaleMode, seen = { from: 0, to: 3 }) {
  const drawn: string[] = [];
  const note =
    (name: string) =>
    (...values: number[]) =>
      void drawn.push([name, ...values.slice(0, 2).map((value) => Number(value.toFixed(6)))].join(' '));
  const context = {
    ...{ moveTo: note('move'), lineTo: note('line'), arc: note('dot') },
    ...{ setLineDash: () => {}, beginPath: () => {}, fill: () => drawn.push('fill') },
    stroke: () => drawn.push(`stroke ${context.strokeStyle}`),
    strokeStyle: '',
    fillStyle: '',
  };
  const prices = {
    attachPrimitive: () => {},
    priceToCoordinate: (price: number) =>
      mode === PriceScaleMode.Logarithmic ? Math.log10(price) : 500 - 10 * ((100 * (price - 100)) / 100),
    priceScale: () => ({ options: () => ({ mode }) }),
  };
  const timeScale = {
    getVisibleLogicalRange: () => seen,
    logicalToCoordinate: (position: number) => 10 * position,
  };
  const fit = { overlays: false };
  const layer = new OverlayLayer({ prices: prices as unknown as ISeriesApi<'Candlestick'>, fit });
  const series = { applyOptions: () => {} };
  layer.attached({ chart: { timeScale: () => timeScale }, series, requestUpdate: () => {} } as never);
  const draw = (lines: readonly OverlayLine[]): string[] => {
    layer.show(lines);
    drawn.length = 0;
    const target = { useMediaCoordinateSpace: (run: (scope: { context: unknown }) => void) => run({ context }) };
    for (const view of layer.paneViews()) view.renderer()?.draw(target as never);
    return drawn;
  };
  return { layer, draw, fit };
}

const line = (values: readonly (number | null)[], more: Partial<OverlayLine> = {}): OverlayLine => ({
  ...{ name: 'value', kind: 'line', offset: 0, values, colors: values.map(() => 'red') },
  ...more,
});

test('a line is drawn at the prices of the candles, on every scale', () => {
  const values = [102, 103, null, 104, 105];
  expect(chartOf(PriceScaleMode.Percentage).draw([line(values)])).toEqual([
    ...['move 0 480', 'line 10 470', 'move 30 460', 'line 40 450', 'stroke red'],
  ]);
  expect(chartOf(PriceScaleMode.Logarithmic).draw([line([10, 1_000])])).toEqual([
    ...['move 0 1', 'line 10 3', 'stroke red'],
  ]);
});

test('has steps, dots, other colours and points after the last bar', () => {
  const { draw } = chartOf(PriceScaleMode.Normal);
  expect(draw([line([101, 102], { kind: 'steps' })])).toEqual([
    ...['move 0 490', 'line 10 490', 'line 10 480', 'stroke red'],
  ]);
  expect(draw([line([101, 102], { kind: 'dots' })])).toEqual(['dot 0 490', 'fill', 'dot 10 480', 'fill']);
  expect(draw([line([101, 102, 103], { colors: ['red', 'red', 'green'] })])).toEqual([
    ...['move 0 490', 'line 10 480', 'stroke red', 'move 10 480', 'line 20 470', 'stroke green'],
  ]);
  expect(draw([line([101, 102], { offset: 2 })])).toEqual(['move 20 490', 'line 30 480', 'stroke red']);
});

test('no line leads to a bar without a colour: an average that starts again breaks there', () => {
  expect(
    chartOf(PriceScaleMode.Normal).draw([line([101, 102, 90, 91], { colors: ['red', 'red', '', 'red'] })]),
  ).toEqual([...['move 0 490', 'line 10 480', 'move 20 600', 'line 30 590', 'stroke red']]);
});

test('the scale follows the bars alone, so that a distant average does not flatten them', () => {
  const { layer, draw } = chartOf(PriceScaleMode.Normal);
  draw([line([50, 101, 103, 60])]);
  expect(layer.autoscaleInfo(0 as Logical, 3 as Logical)).toBeNull();
});

test('if the user wishes, it has room for visible values, but not for levels of a period', () => {
  const { layer, draw, fit } = chartOf(PriceScaleMode.Normal);
  fit.overlays = true;
  draw([line([50, 101, 103, 60]), line([1, 1, 1, 1], { kind: 'steps' })]);
  expect(layer.autoscaleInfo(1 as Logical, 2 as Logical)).toEqual({ priceRange: { minValue: 101, maxValue: 103 } });
  draw([line([null, null])]);
  expect(layer.autoscaleInfo(0 as Logical, 1 as Logical)).toBeNull();
});
