import { expect, test } from 'bun:test';
import { FlowSeries, WINDOW_SECONDS } from './flow-series.ts';

const tick = (time: number, delta: number, cumulative: number) => ({ time, delta, cumulative_delta: cumulative });

test('ticks of one second become one point with their deltas summed', () => {
  const series = new FlowSeries();
  series.add(tick(100, 3, 3));
  series.add(tick(100, -1, 2));
  series.add(tick(101, 4, 6));
  expect(series.points).toEqual([
    { time: 100, delta: 2, cumulative: 2 },
    { time: 101, delta: 4, cumulative: 6 },
  ]);
});

test('a clock that steps back loses no volume', () => {
  const series = new FlowSeries();
  series.add(tick(100, 3, 3));
  series.add(tick(98, 2, 5));
  expect(series.points).toEqual([{ time: 100, delta: 5, cumulative: 5 }]);
});

test('only the last minutes are kept', () => {
  const series = new FlowSeries();
  for (let second = 0; second < 2 * WINDOW_SECONDS; second++) series.add(tick(second, 1, second));
  expect(series.points).toHaveLength(WINDOW_SECONDS + 1);
});
