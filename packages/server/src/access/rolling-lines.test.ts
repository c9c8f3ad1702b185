import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { RollingLines } from './rolling-lines.ts';

const T0 = 1_700_000_000_000;

describe('the allowance in lines', () => {
  test('never more than the limit in any sixty seconds, and nothing refused without need, to the second', () => {
    const steps = fc.array(
      fc.record({ step: fc.integer({ min: 0, max: 45_000 }), lines: fc.integer({ min: 1, max: 60 }) }),
    );
    fc.assert(
      fc.property(steps, (list) => {
        const allowance = new RollingLines(100);
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

  test('says truly how long to wait', () => {
    const allowance = new RollingLines(100);
    allowance.take(60, T0);
    allowance.take(40, T0 + 10_000);
    expect(allowance.waitMs(50, T0 + 20_000)).toBe(40_000);
    expect(allowance.take(50, T0 + 59_999)).toBe(false);
    expect(allowance.take(50, T0 + 60_000)).toBe(true);
  });
});
