import { expect, test } from 'bun:test';
import { GOLDSMITH } from '../../testing/track-record.ts';
import { holdingTime, meanMargin, meanR, standing, winRate } from './figures.ts';

test('shows a win rate with its interval', () => {
  expect(winRate(GOLDSMITH)).toBe('50 % (15 % to 85 %)');
  expect(winRate({ ...GOLDSMITH, win_rate: null })).toBe('–');
});

test('shows a mean with its margin, which needs a deviation', () => {
  // s = 0.3708 / 0.231 over 4 signals.
  expect(meanMargin(GOLDSMITH)).toBeCloseTo((1.959964 * (0.3708 / 0.231)) / 2, 9);
  expect(meanR(GOLDSMITH)).toBe('+0.37 R ± 1.57');
  expect(meanR({ ...GOLDSMITH, sharpe: null })).toBe('+0.37 R');
});

test('says whether a record is ranked, and why', () => {
  expect(standing(GOLDSMITH)).toBe('There are 4 decisions; at least 30 are needed.');
  expect(standing({ ...GOLDSMITH, rank: 1, reason: 'It passes.' })).toBe('Ranked 1. It passes.');
});

test('rounds holding times', () => {
  expect([20, 90, 5_400, 400_000, null].map(holdingTime)).toEqual(['20 s', '2 min', '1.5 h', '5 days', '–']);
});
