import { describe, expect, test } from 'bun:test';
import { adjustForCategory, labelOf, likeliest, withNeutralOffset } from './labels.ts';
import type { TextSentiment } from './model.ts';

const sentiment = (negative: number, neutral: number, positive: number): TextSentiment => ({
  negative,
  neutral,
  positive,
  score: positive - negative,
});

describe('a label', () => {
  test('follows from the score, including the thresholds', () => {
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

  test('has a lower threshold for gold, and the default for unknown categories', () => {
    expect(labelOf(0.2, 'gold')).toBe('positive');
    expect(labelOf(-0.2, 'gold')).toBe('negative');
    for (const category of ['forex', 'macro', 'crypto']) {
      expect(labelOf(0.39, category)).toBe('neutral');
      expect(labelOf(0.4, category)).toBe('positive');
    }
    for (const category of ['constructor', '']) expect(labelOf(0.35, category)).toBe('positive');
  });

  test('is neutral if the score is NaN', () => {
    expect(labelOf(Number.NaN)).toBe('neutral');
  });

  test('can be the likeliest one', () => {
    expect(likeliest(sentiment(0.5, 0.3, 0.2))).toBe('negative');
    expect(likeliest(sentiment(0.1, 0.6, 0.3))).toBe('neutral');
    expect(likeliest(sentiment(0.1, 0.3, 0.6))).toBe('positive');
  });
});

describe('the neutral offset', () => {
  test('divides the neutral probability by e^offset and keeps the sum at 1', () => {
    const shifted = withNeutralOffset(sentiment(0.1, 0.6, 0.3), Math.log(2));
    expect(shifted.neutral).toBeCloseTo(0.3 / 0.7, 12);
    expect(shifted.positive).toBeCloseTo(0.3 / 0.7, 12);
    expect(shifted.negative).toBeCloseTo(0.1 / 0.7, 12);
    expect(shifted.score).toBeCloseTo(0.2 / 0.7, 12);
  });

  test('changes nothing if it is 0', () => {
    const same = withNeutralOffset(sentiment(0.1, 0.6, 0.3), 0);
    expect(same.score).toBeCloseTo(0.2, 12);
  });

  test('applies only to crypto', () => {
    const plain = sentiment(0.1, 0.6, 0.3);
    expect(adjustForCategory(plain, 'crypto')).toEqual(withNeutralOffset(plain, 0.8));
    for (const category of ['forex', 'gold', 'macro', undefined])
      expect(adjustForCategory(plain, category)).toBe(plain);
  });
});
