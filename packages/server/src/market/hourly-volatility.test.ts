import { describe, expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { HourlyVolatility } from './hourly-volatility.ts';

const START = Date.UTC(2026, 2, 2, 8);
const INTERVAL = 5 * MINUTE_MS;

/** Adds an interval of prices between 100 and 100 plus the range in percent. */
function addInterval(volatility: HourlyVolatility, index: number, range: number): void {
  const start = START + index * INTERVAL;
  volatility.add(start, 100);
  volatility.add(start + MINUTE_MS, 100 + range);
  volatility.add(start + 2 * MINUTE_MS, 100);
}

describe('HourlyVolatility', () => {
  test('is the mean range of twelve intervals, scaled to an hour', () => {
    const volatility = new HourlyVolatility();
    for (let index = 0; index < 12; index++) addInterval(volatility, index, 1);
    addInterval(volatility, 12, 0);
    expect(volatility.value).toBeCloseTo(0.01 * Math.sqrt(12), 10);
  });

  test('counts an interval when it is complete, with a twelfth of the weight', () => {
    const volatility = new HourlyVolatility();
    addInterval(volatility, 0, 6);
    expect(volatility.value).toBe(0);
    addInterval(volatility, 1, 0);
    expect(volatility.value).toBeCloseTo((0.06 / 12) * Math.sqrt(12), 10);
  });

  test('includes the move from one interval to the next, if each has a single price', () => {
    const volatility = new HourlyVolatility();
    for (let index = 0; index < 14; index++) volatility.add(START + index * INTERVAL, index % 2 === 0 ? 100 : 101);
    expect(volatility.value).toBeCloseTo(0.01 * Math.sqrt(12), 3);
  });

  test('forgets prices of more than an hour ago, and counts silence as 0', () => {
    const volatility = new HourlyVolatility();
    for (let index = 0; index < 12; index++) addInterval(volatility, index, 1);
    addInterval(volatility, 18, 0);
    expect(volatility.value).toBeCloseTo((6 / 12) * 0.01 * Math.sqrt(12), 10);
    volatility.add(START + 3 * HOUR_MS, 150);
    expect(volatility.value).toBe(0);
    addInterval(volatility, 40, 0);
    expect(volatility.value).toBe(0);
  });

  test('counts a late price in the running interval, and starts again at one of long ago', () => {
    const volatility = new HourlyVolatility();
    for (let index = 0; index < 13; index++) addInterval(volatility, index, 1);
    const before = volatility.value;
    expect(volatility.add(START, 100)).toBe(false);
    expect(volatility.value).toBe(before);
    expect(volatility.add(START - HOUR_MS, 50)).toBe(true);
    expect(volatility.value).toBe(0);
  });
});
