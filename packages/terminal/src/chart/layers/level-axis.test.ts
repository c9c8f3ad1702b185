import { expect, test } from 'bun:test';
import type { ISeriesApi } from 'lightweight-charts';
import { LevelAxis } from './level-axis.ts';

/** A pane of 200 pixels with prices from 200 at its top to 0. */
function axisOf(prices: readonly number[], hasBars = true) {
  const series = {
    attachPrimitive: () => {},
    priceScale: () => ({ applyOptions: () => {} }),
    priceToCoordinate: (price: number) => (hasBars ? 200 - price : null),
  };
  const axis = new LevelAxis(series as unknown as ISeriesApi<'Candlestick'>);
  axis.attached({ chart: { paneSize: () => ({ height: 200 }) }, requestUpdate: () => {} } as never);
  axis.show(prices.map((price) => ({ price, text: `Level ${price}`, color: 'red' })));
  axis.updateAllViews();
  return axis;
}

test('labels are at their levels, and apart where levels are near', () => {
  const places = axisOf([150, 100, 99, 98, 0])
    .priceAxisViews()
    .map((view) => [view.text(), view.fixedCoordinate?.()]);
  expect(places).toEqual([
    ['Level 150', 50],
    ['Level 100', 100],
    ['Level 99', 118],
    ['Level 98', 136],
    ['Level 0', 191],
  ]);
});

test('all levels are in view; without bars there are no labels', () => {
  expect(axisOf([150, 20, 99]).autoscaleInfo()).toEqual({ priceRange: { minValue: 20, maxValue: 150 } });
  expect(axisOf([]).autoscaleInfo()).toBeNull();
  expect(
    axisOf([1], false)
      .priceAxisViews()
      .map((view) => view.visible?.()),
  ).toEqual([false]);
});
