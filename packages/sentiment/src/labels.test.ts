import { describe, expect, test } from 'bun:test';
import { calibrated, calibratedBy, isUndecided, LABELS, labelOf, labelRule, likeliest } from './labels.ts';
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

describe('calibration', () => {
  const rule = { ...labelRule(), temperature: 1, neutralOffset: 0, positiveOffset: 0 };
  const plain = sentiment(0.1, 0.6, 0.3);

  test('changes nothing at a temperature of 1 without offsets', () => {
    const same = calibratedBy(rule, plain);
    for (const label of LABELS) expect(same[label]).toBeCloseTo(plain[label], 12);
    expect(same.score).toBeCloseTo(0.2, 12);
  });

  test('multiplies probabilities by e to the offset and keeps the sum at 1', () => {
    const shifted = calibratedBy({ ...rule, neutralOffset: -Math.log(2) }, plain);
    expect(shifted.neutral).toBeCloseTo(0.3 / 0.7, 12);
    expect(shifted.positive).toBeCloseTo(0.3 / 0.7, 12);
    expect(shifted.negative).toBeCloseTo(0.1 / 0.7, 12);
    expect(shifted.score).toBeCloseTo(0.2 / 0.7, 12);
    expect(calibratedBy({ ...rule, positiveOffset: Math.log(2) }, plain).positive).toBeCloseTo(0.6 / 1.3, 12);
  });

  test('brings probabilities closer to each other at a higher temperature, in the same order', () => {
    const cooler = calibratedBy({ ...rule, temperature: 2 }, plain);
    expect(cooler.neutral).toBeLessThan(0.6);
    expect(likeliest(cooler)).toBe('neutral');
    expect(cooler.positive).toBeGreaterThan(0.3);
  });

  test('of a certain text stays finite', () => {
    for (const category of ['crypto', 'forex', 'gold', 'macro', undefined])
      expect(calibrated(sentiment(0, 0, 1), category).score).toBe(1);
  });
});

test('a text is undecided if it is neutral only because nothing is likely enough', () => {
  expect(isUndecided('neutral', sentiment(0.45, 0.1, 0.45))).toBe(true);
  expect(isUndecided('neutral', sentiment(0.1, 0.8, 0.1))).toBe(false);
  expect(isUndecided('positive', sentiment(0.1, 0.1, 0.8))).toBe(false);
});
