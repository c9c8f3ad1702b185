import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { DrawnBar } from './bar-draw.ts';
import { fitBars, splitSteps, splitWithin } from './fit-bars.ts';
import type { TickBar } from './tick-bar.ts';

const MINUTE = 60_000;
const price = fc.integer({ min: 1, max: 2000 });
const anyWhole: fc.Arbitrary<TickBar> = fc
  .tuple(fc.tuple(price, price, price, price), fc.nat(5000), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([prices, steps, bought]) => {
    const [low, open, close, high] = prices.toSorted((a, b) => a - b) as [number, number, number, number];
    return { open, high, low, close, steps, askSteps: Math.round(steps * bought) };
  });
const drawnPrice = fc.double({ min: 0.01, max: 30, noNaN: true });
const anyDrawn: fc.Arbitrary<DrawnBar> = fc
  .tuple(drawnPrice, drawnPrice, drawnPrice, drawnPrice, fc.integer({ min: 1, max: 500 }), fc.nat(100))
  .map(([open, close, one, other, steps, percent]) => ({
    open,
    close,
    high: Math.max(open, close, one, other),
    low: Math.min(open, close, one, other),
    steps,
    askSteps: Math.round((steps * percent) / 100),
  }));

test('the aggregate of fitted bars is exactly the longer bar', () => {
  fc.assert(
    fc.property(anyWhole, fc.array(anyDrawn, { minLength: 1, maxLength: 8 }), (whole, drawn) => {
      const spans = drawn.map((_, at) => ({ time: at * MINUTE, from: at * MINUTE, to: (at + 1) * MINUTE }));
      const bars = fitBars(whole, spans, drawn, 100);
      for (const bar of bars) {
        const { open, high, low, close, steps, askSteps } = bar;
        const isValid =
          Object.values(bar).every(Number.isInteger) &&
          low <= Math.min(open, close) &&
          high >= Math.max(open, close) &&
          askSteps >= 0 &&
          askSteps <= steps &&
          (steps > 0 || whole.steps < bars.length);
        if (!isValid) throw new Error(`invalid bar ${JSON.stringify(bar)}`);
      }
      const sum = (field: 'steps' | 'askSteps') => bars.reduce((total, bar) => total + bar[field], 0);
      expect({
        open: bars[0]!.open,
        high: Math.max(...bars.map(({ high }) => high)),
        low: Math.min(...bars.map(({ low }) => low)),
        close: bars.at(-1)!.close,
        steps: sum('steps'),
        askSteps: sum('askSteps'),
      }).toEqual(whole);
    }),
    { numRuns: 2000 },
  );
});

test('bars that already fit are only rounded', () => {
  const drawn = [
    { open: 1, high: 1.3, low: 0.9, close: 1.2, steps: 5, askSteps: 2 },
    { open: 1.2, high: 1.25, low: 1.1, close: 1.15, steps: 7, askSteps: 4 },
    { open: 1.15, high: 1.2, low: 1, close: 1.05, steps: 8, askSteps: 3 },
  ];
  const whole = { open: 100, high: 130, low: 90, close: 105, steps: 20, askSteps: 9 };
  const spans = drawn.map((_, at) => ({ time: at * MINUTE, from: at * MINUTE, to: (at + 1) * MINUTE }));
  expect(fitBars(whole, spans, drawn, 100)).toEqual([
    { open: 100, high: 130, low: 90, close: 120, steps: 5, askSteps: 2 },
    { open: 120, high: 125, low: 110, close: 115, steps: 7, askSteps: 4 },
    { open: 115, high: 120, low: 100, close: 105, steps: 8, askSteps: 3 },
  ]);
});

test('an integer is split exactly, within limits', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1 }), (total, weights) => {
      const parts = splitSteps(total, weights);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(total >= weights.length ? 1 : 0);
    }),
  );
  const limited = fc.array(fc.tuple(fc.nat(50), fc.nat(50)), { minLength: 1 });
  fc.assert(
    fc.property(limited, fc.double({ min: 0, max: 1, noNaN: true }), (pairs, share) => {
      const limits = pairs.map(([a, b]) => a + b);
      const total = Math.round(share * limits.reduce((sum, limit) => sum + limit, 0));
      const parts = splitWithin(
        total,
        pairs.map(([a]) => a),
        limits,
      );
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);
      expect(parts.every((part, at) => part >= 0 && part <= limits[at]!)).toBe(true);
    }),
  );
});
