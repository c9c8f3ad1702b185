import { expect, test } from 'bun:test';
import { seededRandom } from '../contenders/signal-pool.ts';
import { PeriodDelays, pooledPercentile, pooledRatio } from './pooled-delays.ts';

const random = seededRandom(3);
/** Delays around a mean; `stalls` of a hundred are of a machine that stood still. */
const period = (mean: number, stalls: number): PeriodDelays =>
  new PeriodDelays(
    Array.from({ length: 4_000 }, () => (random() * 100 < stalls ? 50 * random() : -Math.log(1 - random()) * mean)),
  );
const pairs = (count: number, besideMean: number, stalls: number) =>
  Array.from({ length: count }, () => ({ without: period(1, stalls), beside: period(besideMean, stalls) }));

test('a percentile of several periods is that of all their delays, to half a percent', () => {
  const delays = Array.from({ length: 1_000 }, (_, index) => (index + 1) / 10);
  const periods = [new PeriodDelays(delays.slice(0, 300)), new PeriodDelays(delays.slice(300))];
  for (const share of [0.5, 0.9, 0.99]) expect(pooledPercentile(periods, share) / (share * 100)).toBeWithin(0.99, 1.01);
});

test('the range of a ratio holds the true one, and is narrow without stalls', () => {
  const equal = pooledRatio(pairs(12, 1, 0), 0.99, random);
  expect(equal.low).toBeLessThan(1);
  expect(equal.high).toBeWithin(1, 1.1);
  const slower = pooledRatio(pairs(12, 1.5, 0), 0.99, random);
  expect(slower.ratio).toBeWithin(1.35, 1.65);
  expect(slower.low).toBeGreaterThan(1.1);
});

test('the range says so if a few periods decide', () => {
  const quiet = pairs(10, 1, 0);
  const disturbed = { without: period(1, 0), beside: period(1, 60) };
  const { low, high } = pooledRatio([...quiet, disturbed, disturbed], 0.99, random);
  expect(low).toBeLessThan(1.1);
  expect(high).toBeGreaterThan(1.1);
});
