import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { ISeriesApi } from 'lightweight-charts';
import { AlertLines } from './alert-lines.ts';

// The colours of the style sheet.
const names = ['document', 'getComputedStyle'] as const;
const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
beforeAll(() => {
  Object.assign(globalThis, {
    document: { documentElement: {}, body: {} },
    getComputedStyle: () => ({ getPropertyValue: () => '#ffffff', fontFamily: 'sans' }),
  });
});
afterAll(() => {
  for (const [at, name] of names.entries()) {
    const descriptor = before[at];
    if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    else Reflect.deleteProperty(globalThis, name);
  }
});

/** A series at one pixel per unit of price, downwards from 100. */
function lines() {
  const drawn = new Map<object, number>();
  const series = {
    createPriceLine: ({ price }: { price: number }) => {
      const line = { applyOptions: (options: { price: number }) => void drawn.set(line, options.price) };
      drawn.set(line, price);
      return line;
    },
    removePriceLine: (line: object) => drawn.delete(line),
    priceToCoordinate: (price: number) => 100 - price,
  };
  return {
    drawn: () => [...drawn.values()],
    lines: new AlertLines(series as unknown as ISeriesApi<'Candlestick'>, { set: () => {} }),
  };
}

const alert = (id: string, price: number) => ({ id, price, title: 'alert' });

test('draws a line for each alert, and removes it with the alert', () => {
  const { lines: alertLines, drawn } = lines();
  alertLines.show([alert('a', 40), alert('b', 60)]);
  expect(drawn()).toEqual([40, 60]);
  alertLines.show([alert('b', 61)]);
  expect(drawn()).toEqual([61]);
});

test('finds the nearest line within reach; a finger reaches further', () => {
  const { lines: alertLines } = lines();
  alertLines.show([alert('a', 40), alert('b', 48)]);
  expect([alertLines.at(60), alertLines.at(55), alertLines.at(80), alertLines.at(75, true)]).toEqual([
    'a',
    'b',
    null,
    'a',
  ]);
});

test('a line that is dragged stays under the pointer until it is released', () => {
  const { lines: alertLines, drawn } = lines();
  alertLines.show([alert('a', 40)]);
  alertLines.move('a', 45);
  alertLines.show([alert('a', 40)]);
  expect([...drawn(), alertLines.priceOf('a')]).toEqual([45, 45]);
  alertLines.release();
  alertLines.show([alert('a', 40)]);
  expect(drawn()).toEqual([40]);
});
