import { expect, test } from 'bun:test';
import { confidence, holding, meanMargin, meanR, winRate } from './figures.ts';
import { GOLDSMITH } from './track-record.fixture.ts';

test('a win rate stands with its interval', () => {
  expect(winRate(GOLDSMITH)).toBe('50 % (15 % to 85 %)');
  expect(winRate({ ...GOLDSMITH, win_rate: null })).toBe('–');
});

test('a mean stands with its margin, which needs a spread', () => {
  // s = 0.3708 / 0.231 over 4 signals.
  expect(meanMargin(GOLDSMITH)).toBeCloseTo((1.959964 * (0.3708 / 0.231)) / 2, 9);
  expect(meanR(GOLDSMITH)).toBe('+0.37 R ± 1.57');
  expect(meanR({ ...GOLDSMITH, sharpe: null })).toBe('+0.37 R');
});

test('what a record is worth is said by how many signals it has', () => {
  expect(confidence(GOLDSMITH)).toContain('About 52 ranked signals');
  expect(confidence({ ...GOLDSMITH, signals_needed: 12 })).toContain('About 30');
  expect(confidence({ ...GOLDSMITH, signals_needed: null })).toContain('On average it loses');
  expect(confidence({ ...GOLDSMITH, ranked_signals: 2 })).toContain('Too few');
  expect(confidence({ ...GOLDSMITH, rank: 1 })).toContain('Ranked 1');
});

test('holding times are rounded to what matters', () => {
  expect([20, 90, 5_400, 400_000, null].map(holding)).toEqual(['20 s', '2 min', '1.5 h', '5 days', '–']);
});
