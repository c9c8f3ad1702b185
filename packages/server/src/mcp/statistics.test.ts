import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '@tickwire/engine';
import { correlations, type PriceBar, statisticsOf } from './statistics.ts';

const START = Date.UTC(2026, 0, 1);
const barsOf = (closes: readonly number[]): PriceBar[] =>
  closes.map((close, day) => ({
    time: START + day * DAY_MS,
    open: closes[day - 1] ?? close,
    high: close + 1,
    low: close - 1,
    close,
    volume: 1,
  }));

describe('statistics of bars', () => {
  test('return, extremes and the deepest decline with their dates', () => {
    expect(statisticsOf(barsOf([100, 120, 90, 110, 105]))).toMatchObject({
      bars: 5,
      first: { time: '2026-01-01', open: 100 },
      last: { time: '2026-01-05', close: 105 },
      return_percent: 5,
      max_drawdown: { percent: 25, from: '2026-01-02', to: '2026-01-03' },
      high: { price: 121, time: '2026-01-02' },
      low: { price: 89, time: '2026-01-03' },
    });
  });

  test('volatility is annualized by the bars of a year', () => {
    const closes = Array.from({ length: 366 }, (_, day) => 100 * Math.exp(day % 2 === 0 ? 0 : 0.01));
    // Returns alternate between +1 % and −1 %, 365.25 of them a year.
    expect(statisticsOf(barsOf(closes))!.volatility_percent).toBeCloseTo(Math.sqrt(365.25), 0);
    expect(statisticsOf(barsOf([100, 101]))!.volatility_percent).toBeNull();
  });

  test('a market that only rises has no decline', () => {
    expect(statisticsOf(barsOf([1, 2, 3]))!.max_drawdown).toEqual({ percent: 0, from: null, to: null });
    expect(statisticsOf([])).toBeNull();
  });
});

describe('correlation', () => {
  const wave = Array.from({ length: 40 }, (_, day) => 100 + 10 * Math.sin(day));

  test('of a market with itself is 1, and with its inverse −1', async () => {
    const series = new Map([
      ['A', barsOf(wave)],
      ['B', barsOf(wave)],
      ['C', barsOf(wave.map((close) => 10_000 / close))],
    ]);
    expect(await correlations(series)).toEqual({ 'A/B': 1, 'A/C': -1, 'B/C': -1 });
  });

  test('needs ten common returns', async () => {
    const later = barsOf(wave).map((bar) => ({ ...bar, time: bar.time + 35 * DAY_MS }));
    expect(
      await correlations(
        new Map([
          ['A', barsOf(wave)],
          ['B', later],
        ]),
      ),
    ).toEqual({ 'A/B': null });
  });
});
