import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { exp, log, pow } from './portable-math.ts';

const near = (value: number, expected: number, tolerance: number): boolean =>
  Math.abs(value - expected) <= tolerance * Math.max(Math.abs(expected), 1e-300);

test('exp and log agree with those of the runtime to the last digits', () => {
  fc.assert(
    fc.property(fc.double({ min: -40, max: 40, noNaN: true }), (x) => near(exp(x), Math.exp(x), 1e-15)),
    { numRuns: 5000 },
  );
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (x) => {
      const expected = Math.log(x);
      return Math.abs(log(x) - expected) <= 4e-16 * Math.max(1, Math.abs(expected));
    }),
    { numRuns: 5000 },
  );
});

test('exact values are exact', () => {
  expect([exp(0), log(1), pow(5, 0)]).toEqual([1, 0, 1]);
});

test('the bits are those of the same arithmetic in another language', () => {
  // Computed with Python's floats.
  const bits = (value: number): string => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return bytes.toString('hex');
  };
  expect([exp(1), exp(-3.7), exp(11.5), log(3), log(1e-9), log(105_000), pow(12.5, 0.37)].map(bits)).toEqual([
    '6a57148b0abf0540',
    '441087c61f51993f',
    '13610f56bc19f840',
    '0b03ad7aea93f13f',
    'b8ff2bf327b934c0',
    '239de130991f2740',
    'f3b0310a305e0440',
  ]);
});
