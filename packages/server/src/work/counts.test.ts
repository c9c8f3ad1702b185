import { expect, test } from 'bun:test';
import { DAY_MS } from '@tickwire/engine';
import { Counts } from './counts.ts';
import { PeriodCounts, secondsToMidnight } from './period-counts.ts';

test('counts go up and down by key, and never below zero', () => {
  const counts = new Counts([['a', 2]]);
  expect([counts.add('a', 1), counts.add('b', 1), counts.add('b', -5)]).toEqual([3, 1, 0]);
  expect([counts.get('a'), counts.get('b'), counts.atLeast(1)]).toEqual([3, 0, ['a']]);
});

test('counts of a period start over with the next one, and not if the clock is set back', () => {
  const counts = new PeriodCounts(DAY_MS);
  counts.restore(new Map([['a', 2]]), 5 * DAY_MS + 1);
  expect([counts.add('a', 1, 6 * DAY_MS - 1), counts.add('a', 1, 6 * DAY_MS)]).toEqual([3, 1]);
  expect(counts.add('a', 1, 5 * DAY_MS)).toBe(2);
});

test('what was counted in an earlier period is not given back', () => {
  const counts = new PeriodCounts(DAY_MS);
  counts.add('a', 2, DAY_MS);
  counts.giveBack('a', 1, DAY_MS + 5);
  expect(counts.get('a', DAY_MS)).toBe(1);
  counts.add('a', 1, 2 * DAY_MS);
  counts.giveBack('a', 1, DAY_MS);
  expect(counts.get('a', 2 * DAY_MS)).toBe(1);
});

test('a day starts over at 00:00 UTC', () =>
  expect([secondsToMidnight(3 * DAY_MS), secondsToMidnight(DAY_MS - 1), secondsToMidnight(DAY_MS - 1_001)]).toEqual([
    86_400, 1, 2,
  ]));
