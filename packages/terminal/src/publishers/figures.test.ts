import { expect, test } from 'bun:test';
import { GOLDSMITH } from '../../testing/track-record.ts';
import { confidence, holdingTime, meanMargin, meanR, winRate } from './figures.ts';

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

test('explains whether a record is ranked, or what it lacks', () => {
  expect(confidence(GOLDSMITH)).toContain('about 52 ranked signals');
  expect(confidence({ ...GOLDSMITH, signals_needed: 12 })).toContain('about 30');
  expect(confidence({ ...GOLDSMITH, signals_needed: null })).toContain(
    'Average result is negative, so it cannot be ranked.',
  );
  expect(confidence({ ...GOLDSMITH, ranked_signals: 2 })).toContain('Too few');
  expect(confidence({ ...GOLDSMITH, rank: 1 })).toContain('Ranked 1');
});

test('rounds holding times', () => {
  expect([20, 90, 5_400, 400_000, null].map(holdingTime)).toEqual(['20 s', '2 min', '1.5 h', '5 days', '–']);
});
