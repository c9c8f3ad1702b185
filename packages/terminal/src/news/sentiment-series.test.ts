import { describe, expect, test } from 'bun:test';
import type { NewsSentiment } from '@tickwire/client';
import { scaleOf, stretchesOf, totalsOf } from './sentiment-series.ts';

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
const answer: NewsSentiment = {
  period: 'day',
  symbol: null,
  stretch_seconds: 3_600,
  from: new Date(FROM).toISOString(),
  to: new Date(FROM + 3 * HOUR).toISOString(),
  items: [item(0, 'gold', 1, 0.6), item(0, 'macro', 3, -0.25), item(2, 'gold', 2, 0.1)],
  count: 3,
};

describe('sentiment over time', () => {
  test('each stretch has the mean of its items, whichever category they are of; empty ones have none', () => {
    const stretches = stretchesOf(answer, []);
    expect(stretches.map(({ time, count }) => [(time - FROM) / HOUR, count])).toEqual([
      [0, 4],
      [1, 0],
      [2, 2],
    ]);
    expect(stretches[0]!.mean).toBeCloseTo((0.6 - 3 * 0.25) / 4, 12);
    expect([stretches[1]!.mean, stretches[2]!.mean]).toEqual([null, 0.1]);
  });

  test('of chosen categories only theirs count', () => {
    expect(stretchesOf(answer, ['macro']).map(({ count, mean }) => [count, mean])).toEqual([
      [3, -0.25],
      [0, null],
      [0, null],
    ]);
  });

  test('the whole and the categories beside each other, most news first', () => {
    const { all, byCategory } = totalsOf(answer, []);
    expect([all.count, all.bullish, all.mean]).toEqual([6, 6, expect.closeTo((0.8 - 0.75) / 6, 12)]);
    expect(byCategory.map(({ category, count }) => [category, count])).toEqual([
      ['gold', 3],
      ['macro', 3],
    ]);
    expect(totalsOf({ ...answer, items: [] }, [])).toMatchObject({ all: { count: 0, mean: null }, byCategory: [] });
  });

  test('the scale is a round one that holds the largest', () => {
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
