import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { evenSteps, timeStep } from './axis-ticks.ts';

test('has few and round steps', () => {
  expect(evenSteps(0.3, 2.2, 4)).toEqual([0.5, 1, 1.5, 2]);
  expect(evenSteps(-3, 12, 5)).toEqual([0, 5, 10]);
  expect(evenSteps(1, 1, 5)).toEqual([]);
});

test('has at most the given number of steps in any range', () => {
  const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(
      value,
      fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
      fc.integer({ min: 1, max: 12 }),
      (low, range, most) => {
        const steps = evenSteps(low, low + range, most);
        expect(steps.length).toBeLessThanOrEqual(most + 1);
        for (const step of steps) expect(step).toBeGreaterThanOrEqual(low - 1e-9 * (Math.abs(low) + range));
      },
    ),
  );
});

test('has round times, then whole days', () => {
  expect(timeStep(45 * 60_000, 5)).toBe(10 * 60_000);
  expect(timeStep(86_400_000, 4)).toBe(8 * 3_600_000);
  expect(timeStep(100 * 86_400_000, 5)).toBe(20 * 86_400_000);
});
