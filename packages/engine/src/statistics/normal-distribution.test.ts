import { describe, expect, test } from 'bun:test';
import { normalCdf, Z_95_ONE_SIDED, Z_95_TWO_SIDED } from './normal-distribution.ts';

/** Simpson's rule over the density, starting at 0. */
function integrated(z: number): number {
  const steps = 2000;
  const width = z / steps;
  const density = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  let sum = density(0) + density(z);
  for (let i = 1; i < steps; i++) sum += density(i * width) * (i % 2 === 1 ? 4 : 2);
  return 0.5 + (sum * width) / 3;
}

describe('normal distribution', () => {
  test('is the integral of the density', () => {
    for (let z = -9; z <= 9; z += 0.1) expect(Math.abs(normalCdf(z) - integrated(z))).toBeLessThan(1e-13);
  });

  test('has the published quantiles: 95 % below 1.6449, 95 % within ± 1.9600', () => {
    expect(normalCdf(Z_95_ONE_SIDED)).toBeCloseTo(0.95, 14);
    expect(normalCdf(Z_95_TWO_SIDED)).toBeCloseTo(0.975, 14);
    expect(normalCdf(1)).toBeCloseTo(0.841344746068543, 14);
  });

  test('is symmetric and ends at 0 and 1', () => {
    for (const z of [0, 0.3, 1, 2.5, 6, 8.4]) expect(normalCdf(z) + normalCdf(-z)).toBeCloseTo(1, 14);
    expect(normalCdf(-Infinity)).toBe(0);
    expect(normalCdf(Infinity)).toBe(1);
    expect(normalCdf(Number.NaN)).toBeNaN();
  });
});
