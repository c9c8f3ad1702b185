import { describe, expect, test } from 'bun:test';
import { MINUTE_MS } from '@tickwire/engine';
import fc from 'fast-check';
import { RollingSum } from './rolling-sum.ts';

const T0 = 1_700_000_000_000;

describe('the rolling sum', () => {
  test('allows exactly the limit in any 60 seconds, to the second', () => {
    const steps = fc.array(
      fc.record({ step: fc.integer({ min: 0, max: 45_000 }), lines: fc.integer({ min: 1, max: 60 }) }),
    );
    fc.assert(
      fc.property(steps, (list) => {
        const allowance = new RollingSum(100);
        const taken: { second: number; lines: number }[] = [];
        let now = T0;
        for (const { step, lines } of list) {
          now += step;
          const second = Math.floor(now / 1000);
          const used = taken.filter((each) => each.second > second - 60).reduce((sum, each) => sum + each.lines, 0);
          expect(allowance.take(lines, now)).toBe(used + lines <= 100);
          if (used + lines <= 100) taken.push({ second, lines });
        }
      }),
    );
  });

  test('reports how long to wait', () => {
    const allowance = new RollingSum(100);
    allowance.take(60, T0);
    allowance.take(40, T0 + 10_000);
    expect(allowance.waitMs(50, T0 + 20_000)).toBe(40_000);
    expect(allowance.take(50, T0 + 59_999)).toBe(false);
    expect(allowance.take(50, T0 + MINUTE_MS)).toBe(true);
  });
});
