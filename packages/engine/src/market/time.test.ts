import { expect, test } from 'bun:test';
import { asEpochMs, DAY_MS, utcDate } from './time.ts';

test('calendar dates are those of the proleptic Gregorian calendar', () => {
  for (let day = -80_000; day < 80_000; day += 7) {
    const date = new Date(day * DAY_MS);
    const expected = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
    expect(utcDate(asEpochMs(day * DAY_MS + 5))).toEqual(expected);
  }
});
