import { expect, test } from 'bun:test';
import { ActivityProfile, BUCKET_UNITS } from './activity-profile.ts';
import { UNITS_PER_DAY } from './time-grid.ts';

const bucketOf = (iso: string): number => Math.floor(Date.parse(iso) / 125 / BUCKET_UNITS);
const DAY = UNITS_PER_DAY / BUCKET_UNITS;

test('advances by one day per day without weekends', () => {
  const from = bucketOf('2026-05-06T00:00:00Z');
  for (const name of ['europe', 'asia', 'america', 'crypto'] as const) {
    const profile = new ActivityProfile(name, false);
    for (let day = 0; day < 14; day++)
      expect(profile.clock(from + (day + 1) * DAY) - profile.clock(from + day * DAY)).toBeCloseTo(DAY, 4);
    expect(profile.speed).toBeCloseTo(1, 9);
  }
});

test('advances by the squared activity in each bucket, also across the end of the week', () => {
  const profile = new ActivityProfile('europe', true);
  const from = bucketOf('2026-05-06T18:00:00Z');
  for (let bucket = from; bucket < from + 600; bucket++)
    expect(profile.clock(bucket + 1) - profile.clock(bucket)).toBeCloseTo(profile.at(bucket) ** 2, 5);
});

test('hardly advances at the weekend and has full activity on Monday', () => {
  const profile = new ActivityProfile('europe', true);
  const weekend = profile.clock(bucketOf('2026-05-10T20:59:00Z')) - profile.clock(bucketOf('2026-05-08T22:02:00Z'));
  expect(weekend).toBeLessThan(0.05 * DAY);
  const monday = bucketOf('2026-05-11T12:00:00Z');
  expect(profile.at(monday)).toBe(new ActivityProfile('europe', false).at(monday));
});
