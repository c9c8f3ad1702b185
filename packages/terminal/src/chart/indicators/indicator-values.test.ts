import { expect, test } from 'bun:test';
import { IndicatorValues } from './indicator-values.ts';

const MINUTE = 60_000;
const iso = (minute: number): string => new Date(minute * MINUTE).toISOString();
const item = (minute: number, value: number | null, more: object = {}) => ({
  time: iso(minute),
  value,
  settled: true,
  ...more,
});

test('pages of older and newer bars become one list', () => {
  const values = new IndicatorValues(['value']);
  values.merge([item(10, 3), item(11, 4, { forming: true })]);
  values.merge([item(8, null, { settled: false }), item(9, 2)]);
  expect([8, 9, 10, 11].map((minute) => values.at(minute * MINUTE)?.values[0])).toEqual([null, 2, 3, 4]);
  expect(values.at(8 * MINUTE)?.settled).toBe(false);
  expect(values.at(7 * MINUTE)).toBeNull();
  expect(values.newest).toBe(11 * MINUTE);
});

test('a forming value never replaces a final one, a correction does', () => {
  const values = new IndicatorValues(['value']);
  values.apply(MINUTE, { value: 5, settled: true }, true);
  values.merge([item(1, 4, { forming: true })]);
  expect(values.at(MINUTE)?.values).toEqual([5]);
  values.apply(MINUTE, { value: 6, settled: true }, true);
  expect(values.at(MINUTE)).toEqual({ values: [6], settled: true, forming: false });
});

test('lines are in their order, whatever the order of the message; a missing one has no value', () => {
  const values = new IndicatorValues(['macd', 'signal', 'histogram']);
  values.apply(0, { values: { histogram: 3, macd: 1 }, settled: false }, false);
  expect(values.at(0)).toEqual({ values: [1, null, 3], settled: false, forming: true });
});

test('a bar whose closing was missed is unfinished until its final value arrives', () => {
  const values = new IndicatorValues(['value']);
  values.apply(0, { value: 1, settled: true }, false);
  expect(values.unfinished).toBeNull();
  values.apply(MINUTE, { value: 2, settled: true }, false);
  expect(values.unfinished).toBe(0);
  values.merge([item(0, 1.5)]);
  expect(values.unfinished).toBeNull();
});

test('changes are reported once, from the oldest changed bar on; the same value again is no change', () => {
  const values = new IndicatorValues(['value']);
  values.merge([item(1, 1), item(2, 2), item(3, 3)]);
  expect(values.takeChanges()).toBe(MINUTE);
  expect(values.takeChanges()).toBe(Number.POSITIVE_INFINITY);
  values.merge([item(2, 2), item(3, 4)]);
  expect(values.takeChanges()).toBe(3 * MINUTE);
});
