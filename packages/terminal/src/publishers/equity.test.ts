import { expect, test } from 'bun:test';
import type { PublisherDetail } from '@tickwire/client';
import { GOLDSMITH } from '../../testing/track-record.ts';
import { drawdownOf, equityOf } from './equity.ts';

const withResults = (results: readonly number[]): PublisherDetail => {
  let total = 0;
  const equity = results.map((r, at) => {
    total += r;
    return { at: new Date(Date.UTC(2026, 2, at + 1)).toISOString(), r, total_r: total, open: at };
  });
  return { ...GOLDSMITH, first_at: '2026-02-28T00:00:00.000Z', equity };
};
const drawdown = (results: readonly number[]) => drawdownOf(equityOf(withResults(results)).steps);

test('starts with the first publication and ends with the open signals of now', () => {
  const { start, steps, now } = equityOf({
    ...withResults([1, -0.5]),
    equity_now: { at: '2026-03-09T00:00:00.000Z', total_r: 0.25, open: 3 },
  });
  expect(start).toBe(Date.UTC(2026, 1, 28));
  expect(steps.map(({ at, total, open }) => [at, total, open])).toEqual([
    [Date.UTC(2026, 2, 1), 1, 0],
    [Date.UTC(2026, 2, 2), 0.5, 1],
  ]);
  expect(now).toEqual({ at: Date.UTC(2026, 2, 9), r: null, total: 0.25, open: 3 });
});

test('the maximum drawdown starts at a peak or at the start', () => {
  expect(drawdown([-1, 2, -1, -1.5, 3])).toEqual({ from: 1, to: 3 });
  expect(drawdown([-1, -1, 3])).toEqual({ from: -1, to: 1 });
  expect(drawdown([1, 1])).toBeNull();
});
