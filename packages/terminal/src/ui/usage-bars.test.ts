import { expect, test } from 'bun:test';
import { share, usageBars } from './usage-bars.ts';

test('draws a limit near the peak, and nothing above the top', () => {
  const { heights, limitAt } = usageBars([0, 30, 60], 120);
  expect(limitAt! / heights[2]!).toBeCloseTo(2);
  expect(Math.max(...heights, limitAt!)).toBeLessThan(1);
});

test('does not draw a limit far above the bars, and keeps the bars well below the top', () => {
  const { heights, limitAt } = usageBars([1, 2], 3_600);
  expect(limitAt).toBeNull();
  expect(heights[1]).toBeGreaterThan(0.5);
  expect(heights[1]).toBeLessThan(0.6);
});

test('draws the limit below a bar that exceeds it', () => {
  const { heights, limitAt } = usageBars([200], 120);
  expect(limitAt).toBeLessThan(heights[0]!);
});

test('handles no usage and a limit of zero', () => {
  expect(usageBars([0, 0], 60)).toEqual({ heights: [0, 0], limitAt: null });
  expect(usageBars([], 60).heights).toEqual([]);
  expect(usageBars([3], null).limitAt).toBeNull();
  expect([share(0, 0), share(1, 0), share(1, 1_000), share(30, 60), share(0, 60)]).toEqual([
    '0%',
    'over',
    '<1%',
    '50%',
    '0%',
  ]);
});

test('draws a stream that was open for seconds as a low bar', () => {
  const { heights } = usageBars([0.04, 0.5], 10, 1);
  expect(heights).toEqual([0.04, 0.5]);
  expect(usageBars([4], 10, 1).limitAt).toBeCloseTo(10 / 11.2);
});
