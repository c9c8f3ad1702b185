import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type DrawnPart, fitBars, splitSteps, splitWithin } from './fit-bars.ts';
import type { TickBar } from './tick-bar.ts';

const MINUTE = 60_000;
const price = fc.integer({ min: 1, max: 2000 });
const anyWhole: fc.Arbitrary<TickBar> = fc
  .tuple(fc.tuple(price, price, price, price), fc.nat(5000), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([prices, steps, bought]) => {
    const [low, open, close, high] = prices.toSorted((a, b) => a - b) as [number, number, number, number];
    return { open, high, low, close, steps, askSteps: Math.round(steps * bought) };
  });
const drawnPrice = fc.double({ min: 1, max: 3000, noNaN: true });
const anyParts: fc.Arbitrary<DrawnPart[]> = fc
  .array(
    fc.record({
      prices: fc.tuple(drawnPrice, drawnPrice, drawnPrice, drawnPrice),
      minutes: fc.integer({ min: 1, max: 60 }),
      closed: fc.nat(20),
      weight: fc.double({ min: 0.01, max: 500, noNaN: true }),
      bought: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => {
    let end = 0;
    return parts.map(({ prices: [open, close, one, other], minutes, closed, weight, bought }) => {
      const from = end + closed * MINUTE;
      end = from + minutes * MINUTE;
      const [high, low] = [Math.max(open, close, one, other), Math.min(open, close, one, other)];
      return { from, to: end, open, high, low, close, weight, bought };
    });
  });

test('the aggregate of fitted bars is exactly the longer bar', () => {
  fc.assert(
    fc.property(anyWhole, anyParts, (whole, parts) => {
      const bars = fitBars(whole, parts);
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
  const parts = [
    { open: 100.2, high: 130.1, low: 90.3, close: 120.2, weight: 4, bought: 0.5 },
    { open: 120.2, high: 124.7, low: 110.4, close: 114.8, weight: 6, bought: 0.5 },
    { open: 114.8, high: 120.1, low: 99.9, close: 104.9, weight: 7, bought: 0.5 },
  ].map((part, at) => ({ ...part, from: at * MINUTE, to: (at + 1) * MINUTE }));
  const whole = { open: 100, high: 130, low: 90, close: 105, steps: 20, askSteps: 11 };
  expect(fitBars(whole, parts)).toEqual([
    { open: 100, high: 130, low: 90, close: 120, steps: 5, askSteps: 3 },
    { open: 120, high: 125, low: 110, close: 115, steps: 7, askSteps: 4 },
    { open: 115, high: 120, low: 100, close: 105, steps: 8, askSteps: 4 },
  ]);
});

test('a bar with a higher high is reached by a gradual rise, not by one long wick', () => {
  const parts = Array.from({ length: 6 }, (_, at) => ({
    ...{ from: at * MINUTE, to: (at + 1) * MINUTE, weight: 1, bought: 0.5 },
    ...{ open: 1000, high: 1010, low: 990, close: 1000 },
  }));
  const bars = fitBars({ open: 1000, high: 1060, low: 990, close: 1000, steps: 60, askSteps: 30 }, parts);
  expect(bars.every((bar) => bar.high - Math.max(bar.open, bar.close) <= 35)).toBe(true);
  expect(Math.max(...bars.map(({ close }) => close))).toBeGreaterThan(1030);
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
