import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Z_95_TWO_SIDED } from './normal-distribution.ts';
import { wilsonInterval } from './wilson-interval.ts';

describe('Wilson interval', () => {
  test('matches the examples of Newcombe (1998), two-sided intervals for a single proportion', () => {
    const published = [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ] as const;
    for (const [wins, n, low, high] of published) {
      const interval = wilsonInterval(wins, n);
      expect(interval[0]).toBeCloseTo(low, 4);
      expect(interval[1]).toBeCloseTo(high, 4);
    }
  });

  test('ends at the proportions that a score test just fails to reject', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.nat(), (n, some) => {
        const wins = some % (n + 1);
        for (const end of wilsonInterval(wins, n)) {
          const distance = (wins / n - end) ** 2;
          expect(distance).toBeCloseTo((Z_95_TWO_SIDED ** 2 * end * (1 - end)) / n, 10);
        }
      }),
    );
  });

  test('contains the proportion, stays within 0…1 and is symmetric', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.nat(), (n, some) => {
        const wins = some % (n + 1);
        const [low, high] = wilsonInterval(wins, n);
        const [mirroredLow, mirroredHigh] = wilsonInterval(n - wins, n);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(wins / n + 1e-12);
        expect(high).toBeGreaterThanOrEqual(wins / n - 1e-12);
        expect(high).toBeLessThanOrEqual(1);
        expect(mirroredLow).toBeCloseTo(1 - high, 12);
        expect(mirroredHigh).toBeCloseTo(1 - low, 12);
      }),
    );
  });
});
