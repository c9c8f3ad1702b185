import { describe, expect, test } from 'bun:test';
import type { Drawing, DrawingKind } from './drawing.ts';
import { alertsOn, type DrawnOn } from './drawing-alert.ts';

const MINUTE = 60_000;
const MONDAY = Date.UTC(2026, 2, 2);
/** Three bars, a weekend's gap, and two bars. */
const TIMES = [-2882, -2881, -2880, 0, 1].map((minutes) => MONDAY + minutes * MINUTE);
const on: DrawnOn = {
  bars: { candles: TIMES.map((time) => ({ time })), intervalMs: MINUTE },
  ...{ interval: '1m', digits: 5, isLogarithmic: false },
};

/** Each point: number of its bar, and its price. */
const drawing = (kind: DrawingKind, ...points: readonly (readonly [bar: number, price: number])[]): Drawing => ({
  ...{ id: 'a', kind, color: 'accent', width: 1, style: 'solid', text: '', changed: 0 },
  points: points.map(([bar, price]) => ({ time: TIMES[bar]!, price })),
});
const pricesOf = (kind: DrawingKind, ...prices: readonly number[]) =>
  alertsOn(drawing(kind, ...prices.map((price, bar) => [bar, price] as const)), on)[0]?.start.levels?.map(
    ({ price }) => price,
  );

describe('an alert on a drawing', () => {
  test('starts at the price of a horizontal line, rounded as prices of the instrument are', () => {
    expect(alertsOn(drawing('horizontal', [0, 1.0812345]), on)).toEqual([
      {
        name: 'Horizontal line',
        start: { fields: { level: '1.08123' }, levels: [{ name: 'Horizontal line (1.08123)', price: 1.08123 }] },
      },
    ]);
  });

  test('offers each edge and level of drawings that have several', () => {
    expect(pricesOf('rectangle', 1.07, 1.09)).toEqual([1.09, 1.07]);
    expect(pricesOf('position', 1.08, 1.07, 1.1)).toEqual([1.08, 1.07, 1.1]);
    expect(pricesOf('fibonacci', 1, 2)).toEqual([2, 1.764, 1.618, 1.5, 1.382, 1.214, 1]);
  });

  test('needs a price: levels at or below zero, vertical lines and texts have none', () => {
    expect(pricesOf('rectangle', 1.07, -0.1)).toEqual([1.07]);
    expect(alertsOn(drawing('vertical', [0, 1.07]), on)).toEqual([]);
    expect(alertsOn(drawing('text', [0, 1.07]), on)).toEqual([]);
  });

  test('goes on with the line over bars, as the chart draws it: the gap of a weekend is one step', () => {
    const time = new Date(TIMES[4]!).toISOString();
    const common = { type: 'trend_line', cross: 'either', interval: '1m', time };
    for (const kind of ['line', 'ray'] as const)
      expect(alertsOn(drawing(kind, [1, 1.08], [3, 1.0804]), on).map(({ start }) => start.fields)).toEqual([
        { ...common, price: '1.0806', per_bar: '0.0002' },
      ]);
  });

  test('starts at the bar that forms directly after a weekend, one bar after the last before it', () => {
    const candles = TIMES.slice(0, 4).map((time) => ({ time }));
    const line = drawing('line', [0, 1.08], [2, 1.0804]);
    const fields = alertsOn(line, { ...on, bars: { candles, intervalMs: MINUTE } })[0]?.start.fields;
    expect(fields).toMatchObject({ time: new Date(MONDAY).toISOString(), price: '1.0806', per_bar: '0.0002' });
  });

  test('writes a small slope without an exponent', () => {
    const [alert] = alertsOn(drawing('line', [1, 1.08], [3, 1.0800008]), on);
    expect(alert!.start.fields!.per_bar).toBe('0.0000004');
  });

  test('on a channel is on its upper or lower line, whichever side was drawn first', () => {
    for (const third of [
      [2, 1.0902],
      [2, 1.0702],
    ] as const) {
      const found = alertsOn(drawing('channel', [1, 1.08], [3, 1.0804], third), on);
      expect(found.map(({ name }) => name)).toEqual(['Parallel channel, upper line', 'Parallel channel, lower line']);
      const [upper, lower] = found.map(({ start }) => Number(start.fields!.price));
      expect(upper! - lower!).toBeCloseTo(0.01, 9);
      expect([upper, lower]).toContain(1.0806);
    }
  });

  test('is not offered where the service could not judge the line that is seen', () => {
    const line = drawing('line', [1, 1.08], [3, 1.0804]);
    expect(alertsOn(line, { ...on, isLogarithmic: true })).toEqual([]);
    expect(alertsOn(line, { ...on, interval: '7m' })).toEqual([]);
    expect(alertsOn(line, { ...on, bars: null })).toEqual([]);
    expect(alertsOn(drawing('line', [1, 1.08], [1, 1.09]), on)).toEqual([]);
  });
});
