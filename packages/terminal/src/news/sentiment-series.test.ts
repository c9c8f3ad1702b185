import { describe, expect, test } from 'bun:test';
import type { NewsSentiment } from '@tickwire/client';
import { intervalsOf, scaleOf, totalsOf } from './sentiment-series.ts';

const HOUR = 3_600_000;
const FROM = Date.UTC(2026, 2, 2, 8);
const item = (hour: number, category: 'gold' | 'macro', count: number, mean_score: number) => ({
  time: new Date(FROM + hour * HOUR).toISOString(),
  category,
  count,
  bullish: count,
  neutral: 0,
  bearish: 0,
  mean_score,
});
const sentiment: NewsSentiment = {
  period: 'day',
  symbol: null,
  stretch_seconds: 3_600,
  from: new Date(FROM).toISOString(),
  to: new Date(FROM + 3 * HOUR).toISOString(),
  items: [item(0, 'gold', 1, 0.6), item(0, 'macro', 3, -0.25), item(2, 'gold', 2, 0.1)],
  count: 3,
};

describe('sentiment over time', () => {
  test('averages each interval over all categories; an empty one has no average', () => {
    const intervals = intervalsOf(sentiment, []);
    expect(intervals.map(({ time, count }) => [(time - FROM) / HOUR, count])).toEqual([
      [0, 4],
      [1, 0],
      [2, 2],
    ]);
    expect(intervals[0]!.mean).toBeCloseTo((0.6 - 3 * 0.25) / 4, 12);
    expect([intervals[1]!.mean, intervals[2]!.mean]).toEqual([null, 0.1]);
  });

  test('counts only the chosen categories', () => {
    expect(intervalsOf(sentiment, ['macro']).map(({ count, mean }) => [count, mean])).toEqual([
      [3, -0.25],
      [0, null],
      [0, null],
    ]);
  });

  test('totals the period and each category, most headlines first', () => {
    const { all, byCategory } = totalsOf(sentiment, []);
    expect([all.count, all.bullish, all.mean]).toEqual([6, 6, expect.closeTo((0.8 - 0.75) / 6, 12)]);
    expect(byCategory.map(({ category, count }) => [category, count])).toEqual([
      ['gold', 3],
      ['macro', 3],
    ]);
    expect(totalsOf({ ...sentiment, items: [] }, [])).toMatchObject({ all: { count: 0, mean: null }, byCategory: [] });
  });

  test('has the smallest round scale that fits the largest average', () => {
    const of = (mean: number | null) => ({ time: 0, count: 1, bullish: 0, neutral: 0, bearish: 0, mean });
    expect([
      scaleOf([]),
      scaleOf([of(-0.25)]),
      scaleOf([of(0.1), of(-0.26)]),
      scaleOf([of(0.9)]),
      scaleOf([of(null)]),
    ]).toEqual([0.25, 0.25, 0.5, 1, 0.25]);
  });
});
