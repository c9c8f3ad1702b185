import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { backOffMs } from './back-off.ts';

test('doubles with each failure, up to the maximum', () => {
  const waits = [0, 1, 2, 3, 4, 5, 1_000].map((failures) => backOffMs(failures, { firstMs: 100, maxMs: 1_000 }));
  expect(waits).toEqual([100, 100, 200, 400, 800, 1_000, 1_000]);
});

test('is finite without a maximum', () => expect(backOffMs(1e9, { firstMs: 1_000 })).toBeFinite());

test('jitter only shortens the wait, by at most its share', () => {
  const property = fc.property(fc.nat(50), fc.double({ min: 0, max: 1, noNaN: true }), (failures, jitter) => {
    const backOff = { firstMs: 500, maxMs: 30_000 };
    const wait = backOffMs(failures, { ...backOff, jitter });
    const whole = backOffMs(failures, backOff);
    expect(wait).toBeLessThanOrEqual(whole);
    expect(wait).toBeGreaterThanOrEqual(whole * (1 - jitter));
  });
  fc.assert(property);
});
