import { expect, test } from 'bun:test';
import { GOLDSMITH } from '../../testing/track-record.ts';
import { eValue, holdingTime, meanMargin, meanR, missingTexts, statusText, winRate } from './figures.ts';

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

test('shows the status with its rank, and what a rank still requires', () => {
  expect(statusText(GOLDSMITH)).toBe('unproven');
  expect(statusText({ status: 'ranked', rank: 2 })).toBe('ranked 2');
  const missing = [
    { what: 'decisions' as const, have: 4, need: 30 },
    { what: 'e_value' as const, have: 1.0624, need: 20 },
  ];
  expect(missingTexts({ missing })).toEqual(['4 of 30 decisions', 'e-value 1.06 of 20']);
});

test('writes e-values of any size', () => {
  expect([1, 1.2345, 0.004, 0, 25.63, 123.4, 2_340_000, 1e12].map(eValue)).toEqual([
    '1',
    '1.23',
    '< 0.01',
    '0',
    '25.6',
    '123',
    '2.34 M',
    '1000000 M',
  ]);
});

test('rounds holding times', () => {
  expect([20, 90, 5_400, 400_000, null].map(holdingTime)).toEqual(['20 s', '2 min', '1.5 h', '5 days', '–']);
});
