// Measures the quality and speed that MODEL-CARD.md states, if the labelled headlines are available.
import { describe, expect, test } from 'bun:test';
import {
  forexTraining,
  headlinesMissing,
  type Labelled,
  sentfinTest,
  sentfinTestAssets,
  twitterValidation,
} from '../testing/headline-sets.ts';
import { model } from '../testing/model.ts';
import { type Evaluation, evaluate, type LabelledPrediction, predict } from './evaluate.ts';
import { likeliest } from './labels.ts';

const missing = headlinesMissing();
const percent = (share: number): number => Math.round(share * 1_000) / 10;
const format = ({ accuracy, macroF1 }: Evaluation): string => `${percent(accuracy)} / ${percent(macroF1)}`;

/** Thousands of texts, on machines that may be busy. In milliseconds. */
const TIMEOUT = 180_000;

const byLikeliest = (predictions: readonly LabelledPrediction[]): Evaluation =>
  evaluate(predictions.map((row) => ({ ...row, label: likeliest(row.sentiment) })));

const SETS = [
  { name: 'SEntFiN, held-out 15 %', rows: sentfinTest, count: 1_576, accuracy: 84.5, macroF1: 84.4 },
  { name: 'Twitter, validation file', rows: twitterValidation, count: 2_388, accuracy: 85.4, macroF1: 81.6 },
] as const;

describe.skipIf(missing)('quality', () => {
  test.each(SETS)(
    'matches the figures of training on $name',
    ({ name, rows, count, accuracy, macroF1 }) => {
      const texts: Labelled[] = rows();
      expect(texts).toHaveLength(count);
      const predictions = predict(model, texts);
      const likely = byLikeliest(predictions);
      const thresholds = evaluate(predictions);
      const { expectedError, brier } = likely.calibration;
      console.log(
        `${name}: likeliest ${format(likely)}, thresholds ${format(thresholds)}, ` +
          `calibration error ${percent(expectedError)} %, Brier ${brier.toFixed(3)}`,
      );
      expect(Math.abs(100 * likely.accuracy - accuracy)).toBeLessThan(0.5);
      expect(Math.abs(100 * likely.macroF1 - macroF1)).toBeLessThan(0.5);
      // Headlines without a category: a lower threshold would suit SEntFiN, a higher one Twitter.
      expect(100 * thresholds.accuracy).toBeGreaterThan(accuracy - 1);
      expect(100 * thresholds.macroF1).toBeGreaterThan(macroF1 - 1);
    },
    TIMEOUT,
  );

  test(
    'is higher if the target is named',
    () => {
      const assets = sentfinTestAssets();
      const unnamed = byLikeliest(predict(model, assets));
      const targeted = assets.map((row) => ({ ...row, target: { up: [row.name], down: row.others } }));
      const named = byLikeliest(predict(model, targeted));
      console.log(`SEntFiN by asset (${assets.length}): no target ${format(unnamed)}, target named ${format(named)}`);
      expect(named.accuracy).toBeGreaterThan(unnamed.accuracy + 0.03);
    },
    TIMEOUT,
  );

  test(
    'is almost perfect on the forex headlines of the training set',
    () => {
      const likely = byLikeliest(predict(model, forexTraining()));
      console.log(`forex, trained on: likeliest ${format(likely)}`);
      expect(likely.accuracy).toBeGreaterThan(0.97);
    },
    TIMEOUT,
  );
});

test.skipIf(missing)(
  'classifies a headline in a few milliseconds',
  () => {
    const texts = sentfinTest().map(({ text }) => text);
    for (const text of texts.slice(0, 300)) model.classify(text);
    // Computing time, because other programs may run at the same time.
    const taken = texts.map((text) => {
      const start = process.cpuUsage();
      model.classify(text);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    });
    taken.sort((a, b) => a - b);
    const quantile = (share: number): number => taken[Math.floor(share * taken.length)]!;
    const [p50, p95, p99] = [quantile(0.5), quantile(0.95), quantile(0.99)];
    console.log(`per headline: p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
    // The target is 5 ms on a dedicated core; shared machines need a higher limit.
    expect(p95).toBeLessThan(25);
  },
  TIMEOUT,
);
