import { describe, expect, test } from 'bun:test';
import type { ChartCandle } from '../bars/chart-bars.ts';
import {
  anchorOf,
  CumulativeDelta,
  deltaOf,
  type Opening,
  openingOf,
  periodStart,
  type SumStart,
  sinceText,
  steadyOpening,
} from './cumulative-delta.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const candle = (time: number, bidVolume: number, askVolume: number): ChartCandle => ({
  time,
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  volume: bidVolume + askVolume,
  bidVolume,
  askVolume,
});
const day = (opening: number | null): SumStart => ({ anchor: 'day', opening, first: null });
const sums = (candles: readonly ChartCandle[], opening: number | null): readonly (number | null)[] => {
  const cumulative = new CumulativeDelta();
  cumulative.update(candles, 0, day(opening));
  return cumulative.values;
};

test('delta is buy volume minus sell volume', () => {
  expect(deltaOf(candle(0, 2, 5))).toBe(3);
});

test('the sum restarts at 00:00 UTC', () => {
  const candles = [candle(DAY - 2 * HOUR, 0, 4), candle(DAY - HOUR, 1, 0), candle(DAY, 0, 2), candle(DAY + HOUR, 3, 0)];
  expect(sums(candles, 10)).toEqual([14, 13, 2, -1]);
});

test('a first day whose start is unknown has no sum, the next day has one', () => {
  expect(sums([candle(DAY - HOUR, 0, 4), candle(DAY, 0, 2)], null)).toEqual([null, 2]);
});

describe('the sum at the first bar', () => {
  const candles = [candle(5 * HOUR, 0, 4), candle(6 * HOUR, 1, 0)];

  test('is zero at midnight and at the start of the history', () => {
    expect(openingOf([candle(DAY, 0, 4)], null, false)).toBe(0);
    expect(openingOf(candles, null, true)).toBe(0);
    expect(openingOf(candles, { time: DAY + HOUR, value: 50 }, true)).toBe(0);
  });

  test("follows from the service's own figure of the day", () => {
    const opening = openingOf(candles, { time: 6 * HOUR + 5, value: 50 }, false);
    expect(opening).toBe(47);
    expect(openingOf(candles, { time: 6 * HOUR + 5, value: 50 }, true)).toBe(47);
    expect(sums(candles, opening).at(-1)).toBe(50);
  });

  test('is unknown for any day but the newest', () => {
    expect(openingOf(candles, null, false)).toBeNull();
    expect(openingOf(candles, { time: DAY + HOUR, value: 50 }, false)).toBeNull();
    expect(openingOf([...candles, candle(DAY, 0, 1)], { time: DAY, value: 1 }, false)).toBeNull();
    expect(openingOf([], null, true)).toBeNull();
  });
});

test('ignores small differences between bars and the figure of the day', () => {
  const candles = [candle(5 * HOUR, 0, 1), candle(6 * HOUR, 0, 2)];
  const at = (value: number, before: Opening | null) =>
    steadyOpening(before, candles, { time: 6 * HOUR + 5, value }, false);
  const first = at(1_000, null);
  expect(first).toEqual({ at: 5 * HOUR, value: 997 });
  expect(at(1_008, first)).toBe(first);
  expect(at(1_050, first)).toEqual({ at: 5 * HOUR, value: 1_047 });
  // Older bars in front begin elsewhere, however near the sum is.
  expect(steadyOpening(first, [candle(4 * HOUR, 0, 0), ...candles], { time: 6 * HOUR, value: 1_000 }, false)).toEqual({
    at: 4 * HOUR,
    value: 997,
  });
});

test('recalculates only changed values, and all of them if the first sum changes', () => {
  const cumulative = new CumulativeDelta();
  const candles = [1, 2, 3].map((hour) => candle(hour * HOUR, 0, hour));
  expect(cumulative.update(candles, 0, day(null))).toBe(0);
  expect(cumulative.update(candles, 0, day(10))).toBe(0);
  expect(cumulative.values).toEqual([11, 13, 16]);
  candles[2] = candle(3 * HOUR, 5, 0);
  candles.push(candle(4 * HOUR, 0, 1));
  expect(cumulative.update(candles, 2, day(10))).toBe(2);
  expect(cumulative.values).toEqual([11, 13, 8, 9]);
  expect(cumulative.update(candles, 4, day(20))).toBe(0);
  expect(cumulative.values).toEqual([21, 23, 18, 19]);
});

describe('the anchor', () => {
  test('is the day by default, and the visible range if a bar is a day or longer', () => {
    expect(anchorOf('auto', HOUR)).toBe('day');
    expect(anchorOf('auto', DAY)).toBe('view');
    expect(anchorOf('day', DAY)).toBe('view');
    expect(anchorOf('week', DAY)).toBe('week');
    expect(anchorOf('week', 7 * DAY)).toBe('view');
    expect(anchorOf('bar', 7 * DAY)).toBe('bar');
  });

  const all = (candles: readonly ChartCandle[], start: SumStart) => {
    const cumulative = new CumulativeDelta();
    cumulative.update(candles, 0, start);
    return { values: cumulative.values, restarts: candles.map((_, at) => cumulative.restartsAt(candles, at)) };
  };

  test('a week begins on Monday, and the line breaks there', () => {
    const monday = Date.UTC(2026, 10, 16);
    expect(periodStart('week', monday)).toBe(monday);
    expect(periodStart('week', monday - 1)).toBe(monday - 7 * DAY);
    const candles = [candle(monday - 2 * DAY, 0, 4), candle(monday - DAY, 1, 0), candle(monday, 0, 2)];
    expect(all(candles, { anchor: 'week', opening: 10, first: null })).toEqual({
      values: [14, 13, 2],
      restarts: [false, false, true],
    });
  });

  test('the line breaks at midnight, even if the bar at midnight is absent', () => {
    const candles = [candle(DAY - HOUR, 0, 4), candle(DAY + HOUR, 0, 2), candle(DAY + 2 * HOUR, 0, 2)];
    expect(all(candles, day(0)).restarts).toEqual([false, true, false]);
  });

  test('the sum of the visible range or from a chosen bar has no value before, and never restarts', () => {
    const candles = [1, 2, 3, 4].map((days) => candle(days * DAY, 0, days));
    for (const anchor of ['view', 'bar'] as const)
      expect(all(candles, { anchor, opening: null, first: 1 })).toEqual({
        values: [null, 2, 5, 9],
        restarts: [false, false, false, false],
      });
    expect(all(candles, { anchor: 'bar', opening: null, first: null }).values).toEqual([null, null, null, null]);
  });

  test('everything is recalculated if the anchor moves', () => {
    const cumulative = new CumulativeDelta();
    const candles = [1, 2, 3].map((days) => candle(days * DAY, 0, days));
    const from = (first: number): SumStart => ({ anchor: 'view', opening: null, first });
    cumulative.update(candles, 0, from(0));
    expect(cumulative.update(candles, 3, from(0))).toBe(3);
    expect(cumulative.update(candles, 3, from(2))).toBe(0);
    expect(cumulative.values).toEqual([null, null, 3]);
  });
});

test('the title of an empty pane says why: the start of its period is not loaded', () => {
  expect(sinceText('day', [null, null])).toBe('Cumulative delta since 00:00 UTC: scroll back to its start');
  expect(sinceText('week', [null, 4])).toBe('Cumulative delta since Monday 00:00 UTC');
});
