import { expect, test } from 'bun:test';
import { BUCKET_UNITS, Rhythm } from './rhythm.ts';
import { UNITS_PER_DAY } from './time-grid.ts';

const bucketOf = (iso: string): number => Math.floor(Date.parse(iso) / 125 / BUCKET_UNITS);
const DAY = UNITS_PER_DAY / BUCKET_UNITS;

test('without rest the clock of every rhythm gains a day in a day', () => {
  const from = bucketOf('2026-05-06T00:00:00Z');
  for (const name of ['europe', 'asia', 'america', 'crypto'] as const) {
    const rhythm = new Rhythm(name, false);
    for (let day = 0; day < 14; day++)
      expect(rhythm.clock(from + (day + 1) * DAY) - rhythm.clock(from + day * DAY)).toBeCloseTo(DAY, 4);
    expect(rhythm.pace).toBeCloseTo(1, 9);
  }
});

test('the clock gains the square of the liveliness in each bucket, across the turn of the week too', () => {
  const rhythm = new Rhythm('europe', true);
  const from = bucketOf('2026-05-06T18:00:00Z');
  for (let bucket = from; bucket < from + 600; bucket++)
    expect(rhythm.clock(bucket + 1) - rhythm.clock(bucket)).toBeCloseTo(rhythm.at(bucket) ** 2, 5);
});

test('a market that rests hardly moves on from Friday night to Sunday night, and is as lively as ever on Monday', () => {
  const rhythm = new Rhythm('europe', true);
  const weekend = rhythm.clock(bucketOf('2026-05-10T20:59:00Z')) - rhythm.clock(bucketOf('2026-05-08T22:02:00Z'));
  expect(weekend).toBeLessThan(0.05 * DAY);
  const monday = bucketOf('2026-05-11T12:00:00Z');
  expect(rhythm.at(monday)).toBe(new Rhythm('europe', false).at(monday));
});
