import { expect, test } from 'bun:test';
import { labelInterval, priceSteps, timeLabel } from './scales.ts';

test('price lines stand at round numbers inside the range', () => {
  expect(priceSteps(1.0812, 1.0877, 7).map((step) => step.toFixed(3))).toEqual([
    '1.082',
    '1.083',
    '1.084',
    '1.085',
    '1.086',
    '1.087',
  ]);
  expect(priceSteps(63_900, 64_700, 5)).toEqual([64_000, 64_200, 64_400, 64_600]);
});

test('a range of nothing has no lines, and no endless loop', () => {
  expect(priceSteps(5, 5, 5)).toEqual([]);
  expect(priceSteps(Number.NaN, 5, 5)).toEqual([]);
});

test('time labels keep their distance whatever the zoom', () => {
  for (const [barMs, pixels] of [
    [60_000, 8],
    [3_600_000, 3],
    [86_400_000, 24],
  ] as const) {
    expect((labelInterval(barMs, pixels, 80) / barMs) * pixels).toBeGreaterThanOrEqual(80);
  }
});

test('midnight is labelled with its date', () => {
  expect(timeLabel(Date.UTC(2024, 4, 12))).toBe('12 May');
  expect(timeLabel(Date.UTC(2024, 4, 12, 9, 30))).toBe('09:30');
});
