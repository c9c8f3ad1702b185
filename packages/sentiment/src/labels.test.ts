import { describe, expect, test } from 'bun:test';
import { inCategory, labelOf, likeliest, withNeutralOffset } from './labels.ts';
import type { Sentiment } from './model.ts';

const sentiment = (negative: number, neutral: number, positive: number): Sentiment => ({
  negative,
  neutral,
  positive,
  score: positive - negative,
});

describe('a label', () => {
  test('follows from the score, thresholds included', () => {
    expect([-1, -0.35, -0.349, 0, 0.349, 0.35, 1].map((score) => labelOf(score))).toEqual([
      'negative',
      'negative',
      'neutral',
      'neutral',
      'neutral',
      'positive',
      'positive',
    ]);
  });

  test('comes sooner on gold; a category without a rule of its own has the common one', () => {
    expect(labelOf(0.2, 'gold')).toBe('positive');
    expect(labelOf(-0.2, 'gold')).toBe('negative');
    for (const category of ['forex', 'macro', 'crypto']) {
      expect(labelOf(0.39, category)).toBe('neutral');
      expect(labelOf(0.4, category)).toBe('positive');
    }
    for (const category of ['constructor', '']) expect(labelOf(0.35, category)).toBe('positive');
  });

  test('of no number is neutral', () => {
    expect(labelOf(Number.NaN)).toBe('neutral');
  });

  test('may be the likeliest', () => {
    expect(likeliest(sentiment(0.5, 0.3, 0.2))).toBe('negative');
    expect(likeliest(sentiment(0.1, 0.6, 0.3))).toBe('neutral');
    expect(likeliest(sentiment(0.1, 0.3, 0.6))).toBe('positive');
  });
});

describe('the neutral offset', () => {
  test('divides the neutral probability by e to its power, and the sum stays 1', () => {
    const shifted = withNeutralOffset(sentiment(0.1, 0.6, 0.3), Math.log(2));
    expect(shifted.neutral).toBeCloseTo(0.3 / 0.7, 12);
    expect(shifted.positive).toBeCloseTo(0.3 / 0.7, 12);
    expect(shifted.negative).toBeCloseTo(0.1 / 0.7, 12);
    expect(shifted.score).toBeCloseTo(0.2 / 0.7, 12);
  });

  test('of nothing changes nothing', () => {
    const same = withNeutralOffset(sentiment(0.1, 0.6, 0.3), 0);
    expect(same.score).toBeCloseTo(0.2, 12);
  });

  test('applies to crypto only', () => {
    const plain = sentiment(0.1, 0.6, 0.3);
    expect(inCategory(plain, 'crypto')).toEqual(withNeutralOffset(plain, 0.8));
    for (const category of ['forex', 'gold', 'macro', undefined]) expect(inCategory(plain, category)).toBe(plain);
  });
});
