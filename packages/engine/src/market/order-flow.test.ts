import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Side } from './events.ts';
import { OrderFlow } from './order-flow.ts';
import { roundSize } from './price.ts';

const T0 = Date.UTC(2026, 0, 5, 12);

describe('order flow', () => {
  test('cumulative delta is buys minus sells since midnight UTC of the event', () => {
    const steps = fc.array(
      fc.record({
        step: fc.integer({ min: 0, max: 6_000_000 }),
        size: fc.integer({ min: 1, max: 900 }),
        side: fc.constantFrom<Side>('buy', 'sell'),
      }),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(steps, (list) => {
        const flow = new OrderFlow();
        let time = T0;
        const seen: { time: number; signed: number }[] = [];
        for (const { step, size, side } of list) {
          time += step;
          flow.trade(time, 1, size / 1000, side);
          seen.push({ time, signed: side === 'buy' ? size : -size });
        }
        const midnight = time - (time % 86_400_000);
        const today = seen.filter((trade) => trade.time >= midnight).reduce((sum, trade) => sum + trade.signed, 0);
        expect(flow.cumulative).toBe(roundSize(today / 1000));
      }),
    );
  });

  test('imbalance covers exactly the last sixty seconds, however far apart trades are', () => {
    const steps = fc.array(
      fc.record({ step: fc.integer({ min: 0, max: 90 }), size: fc.integer({ min: 1, max: 50 }), buy: fc.boolean() }),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(steps, (list) => {
        const flow = new OrderFlow();
        let second = T0 / 1000;
        const seen: { second: number; size: number; buy: boolean }[] = [];
        for (const { step, size, buy } of list) {
          second += step;
          seen.push({ second, size, buy });
          flow.trade(second * 1000, 1, size, buy ? 'buy' : 'sell');
        }
        const window = seen.filter((trade) => trade.second > second - 60);
        const total = window.reduce((sum, trade) => sum + trade.size, 0);
        const delta = window.reduce((sum, trade) => sum + (trade.buy ? trade.size : -trade.size), 0);
        // The imbalance is rounded to four decimals.
        expect(Math.abs(flow.imbalance - delta / total)).toBeLessThanOrEqual(0.000_05 + 1e-12);
      }),
    );
  });

  test('a late trade of the previous day does not change the cumulative delta', () => {
    const flow = new OrderFlow();
    const midnight = Date.UTC(2026, 0, 6);
    flow.trade(midnight + 1_000, 1, 5, 'buy');
    flow.trade(midnight - 1_000, 1, 3, 'buy');
    expect(flow.cumulative).toBe(5);
  });

  test('a new day starts by the clock, without a trade', () => {
    const flow = new OrderFlow();
    flow.trade(T0, 1, 5, 'buy');
    flow.advance(T0 + 86_400_000);
    expect(flow.cumulative).toBe(0);
  });

  /** Five quiet, balanced minutes, then thirty seconds of heavy selling that ends at `last`. */
  function sellingPressure(last: number): OrderFlow {
    const flow = new OrderFlow();
    for (let second = 0; second < 300; second++) flow.trade(T0 + second * 1000, 100, 1, second % 2 ? 'buy' : 'sell');
    for (let second = 300; second < 330; second++)
      flow.trade(T0 + second * 1000, second === 329 ? last : 100, 20, 'sell');
    return flow;
  }

  test('heavy selling that does not move the price is absorbed by buyers', () => {
    expect(sellingPressure(100).absorption(100, 0.1)).toBe('buy');
  });

  test('heavy selling that moves the price is not absorbed', () => {
    expect(sellingPressure(99).absorption(99, 0.1)).toBeNull();
  });

  test('ordinary trading is not absorption', () => {
    const flow = new OrderFlow();
    for (let second = 0; second < 600; second++) flow.trade(T0 + second * 1000, 100, 1, second % 2 ? 'buy' : 'sell');
    expect(flow.absorption(100, 0.1)).toBeNull();
  });
});
