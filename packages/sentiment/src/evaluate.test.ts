import { describe, expect, test } from 'bun:test';
import { model } from '../testing/model.ts';
import { evaluate, type LabelledPrediction, predict } from './evaluate.ts';
import type { Label } from './labels.ts';

/** A prediction with equal probabilities for all but the likeliest label. */
function predicted(truth: Label, label: Label, confidence = 1): LabelledPrediction {
  const rest = (1 - confidence) / 2;
  const share = (each: Label): number => (each === label ? confidence : rest);
  const [negative, neutral, positive] = [share('negative'), share('neutral'), share('positive')];
  return { truth, label, sentiment: { negative, neutral, positive, score: positive - negative } };
}

describe('an evaluation', () => {
  test('counts labels, precision and recall', () => {
    const { count, accuracy, macroF1, confusion, labels } = evaluate([
      predicted('positive', 'positive'),
      predicted('positive', 'positive'),
      predicted('positive', 'neutral'),
      predicted('neutral', 'neutral'),
      predicted('negative', 'positive'),
    ]);
    expect({ count, accuracy }).toEqual({ count: 5, accuracy: 3 / 5 });
    expect(confusion).toEqual({
      negative: { negative: 0, neutral: 0, positive: 1 },
      neutral: { negative: 0, neutral: 1, positive: 0 },
      positive: { negative: 0, neutral: 1, positive: 2 },
    });
    expect(labels.positive).toEqual({ precision: 2 / 3, recall: 2 / 3, f1: 4 / 6, support: 3 });
    expect(labels.neutral).toEqual({ precision: 1 / 2, recall: 1, f1: 2 / 3, support: 1 });
    expect(labels.negative).toEqual({ precision: null, recall: 0, f1: 0, support: 1 });
    expect(macroF1).toBeCloseTo((4 / 6 + 2 / 3) / 3, 12);
  });

  test('throws without predictions', () => {
    expect(() => evaluate([])).toThrow(RangeError);
  });

  test('has no calibration error for a certain and perfect model', () => {
    const { calibration } = evaluate([predicted('positive', 'positive'), predicted('negative', 'negative')]);
    expect(calibration).toMatchObject({ expectedError: 0, brier: 0 });
    expect(calibration.bins).toHaveLength(10);
    expect(calibration.bins[9]).toEqual({ from: 0.9, to: 1, count: 2, confidence: 1, accuracy: 1 });
    expect(calibration.bins[0]).toEqual({ from: 0, to: 0.1, count: 0, confidence: null, accuracy: null });
  });

  test('measures the difference between confidence and accuracy', () => {
    const { calibration } = evaluate([predicted('positive', 'positive', 0.8), predicted('negative', 'positive', 0.8)]);
    expect(calibration.bins[8]).toMatchObject({ count: 2, accuracy: 0.5 });
    expect(calibration.expectedError).toBeCloseTo(0.3, 12);
    // (0.2² + 0.1² + 0.1²) for the right one, (0.8² + 0.1² + 0.9²) for the wrong one.
    expect(calibration.brier).toBeCloseTo((0.06 + 1.46) / 2, 12);
  });

  test('uses category and target, as the service does', () => {
    const [plain, inverted] = predict(model, [
      { text: 'Dollar jumps', label: 'positive' },
      { text: 'Dollar jumps', label: 'negative', category: 'gold', target: { up: ['gold'], down: ['dollar'] } },
    ]);
    expect(plain).toMatchObject({ truth: 'positive', label: 'positive' });
    expect(inverted).toMatchObject({ truth: 'negative', label: 'negative' });
  });
});
