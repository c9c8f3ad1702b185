import { expect, test } from 'bun:test';
import { GOLDSMITH } from '../../testing/track-record.ts';
import {
  eValue,
  holdingTime,
  maxDrawdown,
  meanMargin,
  meanR,
  missingTexts,
  otherMissingTexts,
  progressFacts,
  statusText,
  winRate,
} from './figures.ts';

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

test('counts the drawdown now, with open signals, in the max drawdown', () => {
  expect(maxDrawdown({ max_drawdown_r: 5.46, drawdown_r: 5.97 })).toBe('5.97 R');
  expect(maxDrawdown({ max_drawdown_r: 5.46, drawdown_r: 1 })).toBe('5.46 R');
});

test('shows the status with its rank, and what a rank still requires', () => {
  expect(statusText(GOLDSMITH)).toBe('unproven');
  expect(statusText({ status: 'ranked', rank: 2 })).toBe('ranked 2');
  const missing = [
    { what: 'decisions' as const, have: 4, need: 30 },
    { what: 'sum_r' as const, have: -1.5, need: 0 },
    { what: 'e_value' as const, have: 1.0624, need: 20 },
  ];
  expect(missingTexts({ missing })).toEqual([
    '4 of 30 decisions',
    'a sum of rank R above 0 (now −1.50 R)',
    'evidence 1.06 of 20 (1 = none)',
  ]);
});

test('shows the conditions of a trial, and then the evidence with an estimate', () => {
  expect(progressFacts(GOLDSMITH, false).slice(0, 3)).toEqual([
    ['Trial: complete decisions', '4 of 30'],
    ['Trial: days with a decision', '4 of 20'],
    ['Trial: sum of rank R', '+1.48 R, must be above 0'],
  ]);
  expect(progressFacts(GOLDSMITH, true)[1]).toEqual(['Trial: days with a decision', '4, not required']);
  const trial_ended_at = '2026-03-02T11:24:07.402Z';
  const progress = { trial_ended_at, number: 2, decisions: 45, days: null, sum_r: null, need: 40, further: 43 };
  const later = { ...GOLDSMITH, e_value: 3.21, progress };
  expect(progressFacts(later, false)).toEqual([
    ['Trial', 'ended 2 Mar 2026, number 2'],
    ['Decisions since', '45'],
    ['Evidence', '3.21 of 40 needed (1 = none)'],
    ['Decisions to a rank', 'about 43 more at the present pace; usually 15 to 86'],
  ]);
  const unknown = { ...later, progress: { ...progress, further: null } };
  expect(progressFacts(unknown, false)[3]).toEqual(['Decisions to a rank', 'no estimate yet']);
  expect(progressFacts({ ...later, status: 'ranked' }, false)).toHaveLength(3);
  expect(otherMissingTexts(GOLDSMITH)).toEqual(['6 of 56 days from the first to the last']);
  expect(otherMissingTexts(later)).toHaveLength(3);
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
