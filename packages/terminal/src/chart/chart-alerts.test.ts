import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ChartAlerts } from './chart-alerts.ts';
import type { ChartHost, ChartPoint } from './frame/chart-part.ts';
import { NO_OVERLAYS } from './frame/overlays.ts';

// The page with the colours of the style sheet, and the events of the pointer.
const element = () => Object.assign(new EventTarget(), { setAttribute: () => {}, append: () => {} });
const page = {
  window: new EventTarget(),
  Node: EventTarget,
  document: { documentElement: {}, body: {}, createElement: element },
  getComputedStyle: () => ({ getPropertyValue: () => '#ffffff', fontFamily: 'sans' }),
};
const names = Object.keys(page);
const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
beforeAll(() => {
  Object.assign(globalThis, page);
});
afterAll(() => {
  for (const [at, name] of names.entries()) {
    const descriptor = before[at];
    if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    else Reflect.deleteProperty(globalThis, name);
  }
});

/** A chart at one pixel per unit of price, downwards from 100. */
function chart() {
  const drawn = new Map<object, number>();
  const prices = {
    createPriceLine: ({ price }: { price: number }) => {
      const line = { applyOptions: (options: { price: number }) => void drawn.set(line, options.price) };
      drawn.set(line, price);
      return line;
    },
    removePriceLine: (line: object) => drawn.delete(line),
    priceToCoordinate: (price: number) => 100 - price,
  };
  const surface = Object.assign(new EventTarget(), {
    dataset: {},
    contains: () => false,
    getBoundingClientRect: () => ({ left: 0, top: 0 }),
  });
  const host = {
    prices,
    surface,
    labels: { set: () => {} },
    signal: new AbortController().signal,
    addTool: () => {},
    pointAt: (_x: number, y: number) => ({ price: 100 - y }),
  };
  const moved: [string, number][] = [];
  const nothing = (): void => {};
  const alerts = new ChartAlerts(host as unknown as ChartHost, {
    ...{ create: nothing, createOther: nothing, edit: nothing, remove: nothing },
    move: (id, price) => void moved.push([id, price]),
  });
  return {
    moved,
    drawn: () => [...drawn.values()],
    show: (...levels: readonly (readonly [string, number])[]) =>
      alerts.show({ ...NO_OVERLAYS, alerts: levels.map(([id, price]) => ({ id, price, title: 'alert' })) }),
    press: (y: number, byFinger = false) =>
      alerts.press({ y } as ChartPoint, (byFinger ? { touches: [] } : {}) as never),
    pointer: (type: string, y = 0) =>
      page.window.dispatchEvent(Object.assign(new Event(type), { clientX: 0, clientY: y })),
  };
}

test('draws a line for each alert, and removes it with the alert', () => {
  const { show, drawn } = chart();
  show(['a', 40], ['b', 60]);
  expect(drawn()).toEqual([40, 60]);
  show(['b', 61]);
  expect(drawn()).toEqual([61]);
});

test('takes hold of the nearest line within reach; a finger reaches further', () => {
  const { show, press, pointer, moved } = chart();
  const pressed = [60, 55, 80].map((y) => {
    show(['a', 40], ['b', 48]);
    const isHeld = press(y);
    pointer('mousemove', 30);
    pointer('mouseup');
    return isHeld;
  });
  expect([pressed, moved]).toEqual([
    [true, true, false],
    [
      ['a', 70],
      ['b', 70],
    ],
  ]);
  show(['a', 40], ['b', 48]);
  expect(press(77, true)).toBe(true);
});

test('a line that is dragged stays under the pointer, and where it was let go until the alert has changed', () => {
  const { show, press, pointer, drawn, moved } = chart();
  show(['a', 40]);
  press(60);
  pointer('mousemove', 55);
  show(['a', 40]);
  expect(drawn()).toEqual([45]);
  pointer('mouseup');
  expect([drawn(), moved]).toEqual([[45], [['a', 45]]]);
  show(['a', 41]);
  expect(drawn()).toEqual([41]);
});

test('a drag that the system ends leaves the line where it was', () => {
  const { show, press, pointer, drawn, moved } = chart();
  show(['a', 40]);
  press(60);
  pointer('mousemove', 55);
  pointer('touchcancel');
  expect([drawn(), moved]).toEqual([[40], []]);
});
