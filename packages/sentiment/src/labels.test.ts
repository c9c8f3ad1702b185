import { describe, expect, test } from 'bun:test';
import { calibrated, judge, LABELS, labelOfScore, labelRule, likeliest } from './labels.ts';
import type { TextSentiment } from './model.ts';

const sentiment = (negative: number, neutral: number, positive: number): TextSentiment => ({
  negative,
  neutral,
  positive,
  score: positive - negative,
});

describe('a label', () => {
  test('is the likeliest one', () => {
    expect(likeliest(sentiment(0.5, 0.3, 0.2))).toBe('negative');
    expect(likeliest(sentiment(0.1, 0.6, 0.3))).toBe('neutral');
    expect(likeliest(sentiment(0.1, 0.3, 0.6))).toBe('positive');
    expect(judge(sentiment(0.1, 0.3, 0.6))).toEqual({ label: 'positive', undecided: false });
  });

  test('is neutral and undecided if none is likely enough', () => {
    expect(judge(sentiment(0.43, 0.15, 0.42))).toEqual({ label: 'neutral', undecided: true });
    expect(judge(sentiment(0.3, 0.4, 0.3))).toEqual({ label: 'neutral', undecided: true });
    expect(judge(sentiment(0.2, 0.6, 0.2))).toEqual({ label: 'neutral', undecided: false });
    const between = sentiment(0.2, 0.33, 0.47);
    expect(judge(between, 'crypto')).toEqual({ label: 'positive', undecided: false });
    expect(judge(between, 'forex')).toEqual({ label: 'neutral', undecided: true });
  });

  test('of a mere score has thresholds, and is neutral if the score is NaN', () => {
    expect([-1, -0.35, -0.349, 0, 0.349, 0.35, 1, Number.NaN].map(labelOfScore)).toEqual([
      'negative',
      'negative',
      'neutral',
      'neutral',
      'neutral',
      'positive',
      'positive',
      'neutral',
    ]);
  });
});

describe('calibration', () => {
  const plain = sentiment(0.1, 0.6, 0.3);

  test('brings probabilities closer to each other, in the same order, with a sum of 1', () => {
    const cooler = calibrated(plain, 'crypto');
    expect(labelRule('crypto').temperature).toBeGreaterThan(1);
    expect(cooler.neutral).toBeLessThan(0.6);
    expect(cooler.positive).toBeGreaterThan(0.3);
    expect(likeliest(cooler)).toBe('neutral');
    expect(LABELS.reduce((sum, label) => sum + cooler[label], 0)).toBeCloseTo(1, 12);
    expect(cooler.score).toBe(cooler.positive - cooler.negative);
  });

  test('changes nothing without a known category', () => {
    for (const category of ['constructor', '', undefined]) expect(calibrated(plain, category)).toBe(plain);
  });

  test('of a certain text stays finite', () => {
    for (const category of ['crypto', 'forex', 'gold', 'macro'])
      expect(calibrated(sentiment(0, 0, 1), category).score).toBe(1);
  });
});
