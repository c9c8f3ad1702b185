// Measures the quality and speed that MODEL-CARD.md states, if the labelled headlines are available. The sets of thousands are
// measured in full runs; otherwise one of them is.
import { describe, expect, test } from 'bun:test';
import {
  forexTraining,
  headlinesMissing,
  type Labelled,
  ownHeadlines,
  sentfinAssets,
  sentfinTest,
  twitterValidation,
} from '../testing/headline-sets.ts';
import { measureCalibration } from '../testing/measure-calibration.ts';
import { model as trained } from '../testing/model.ts';
import { type Evaluation, evaluate, type LabelledPrediction, predict } from './evaluate.ts';
import { LABELS, likeliest } from './labels.ts';
import type { SentimentModel, TextSentiment } from './model.ts';
import { PUBLISHED_CALIBRATION } from './published-calibration.ts';

/** The model, with its scores of texts without a target: several tests read the same headlines. */
const scores = new Map<string, TextSentiment>();
const model: SentimentModel = {
  version: trained.version,
  classify(text, target, category) {
    if (target) return trained.classify(text, target, category);
    const key = `${category} ${text}`;
    const score = scores.get(key) ?? trained.classify(text, undefined, category);
    scores.set(key, score);
    return score;
  },
};
const missing = headlinesMissing();
const isFull = process.env.TICKWIRE_TEST_FULL === '1';
const percent = (share: number): number => Math.round(share * 1_000) / 10;
const format = ({ accuracy, macroF1 }: Evaluation): string => `${percent(accuracy)} / ${percent(macroF1)}`;

/** Thousands of texts, on machines that may be busy. In milliseconds. */
const TIMEOUT = 600_000;

const byLikeliest = (predictions: readonly LabelledPrediction[]): Evaluation =>
  evaluate(predictions.map((row) => ({ ...row, label: likeliest(row.sentiment) })));

const SETS = [
  { name: 'SEntFiN, held-out 15 %', rows: sentfinTest, count: 1_576, accuracy: 85.0, macroF1: 84.9 },
  { name: 'Twitter, validation file', rows: twitterValidation, count: 2_388, accuracy: 85.4, macroF1: 81.8 },
] as const;

/** Accuracy on the blind half of our own headlines, with the share of the commonest label and the accuracy of VADER. */
const BLIND = [
  { category: 'crypto', count: 260, accuracy: 69.6, commonest: 40.8, vader: 46.2 },
  { category: 'forex', count: 256, accuracy: 80.1, commonest: 43.0, vader: 47.3 },
  { category: 'gold', count: 254, accuracy: 85.4, commonest: 46.5, vader: 44.1 },
  { category: 'macro', count: 255, accuracy: 76.5, commonest: 41.2, vader: 43.1 },
] as const;

describe('on the blind half of our own headlines', () => {
  const predictions = ownHeadlines('blind').map((row) => ({ category: row.category, ...predict(model, [row])[0]! }));

  test.each(BLIND)('$category is far above the commonest label and VADER', ({ category, count, ...stated }) => {
    const rows = predictions.filter((each) => each.category === category);
    const { accuracy, labels } = evaluate(rows);
    expect(rows).toHaveLength(count);
    expect(percent(accuracy)).toBeCloseTo(stated.accuracy, 1);
    const commonest = Math.max(...LABELS.map((label) => labels[label].support)) / count;
    expect(percent(commonest)).toBeCloseTo(stated.commonest, 1);
    expect(percent(accuracy)).toBeGreaterThanOrEqual(stated.commonest + 10);
    expect(percent(accuracy)).toBeGreaterThanOrEqual(stated.vader + 15);
  });

  test('macro-F1 and calibration are as stated', () => {
    const all = evaluate(predictions);
    console.log(
      `our own headlines, blind half: ${format(all)}, calibration error ${percent(all.calibration.expectedError)} %`,
    );
    expect(percent(all.macroF1)).toBeGreaterThanOrEqual(75);
    expect(all.calibration.expectedError).toBeLessThan(0.03);
  });

  test('the published calibration is the one that the headlines give', () => {
    expect(measureCalibration(model)).toEqual(PUBLISHED_CALIBRATION);
  });

  test('no headline was trained on, or used for choices', () => {
    const keyOf = ({ text }: Labelled): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
    const trained = new Set(['training', 'development'].flatMap((half) => ownHeadlines(half).map(keyOf)));
    expect(
      ownHeadlines('blind')
        .map(keyOf)
        .filter((key) => trained.has(key)),
    ).toEqual([]);
  });
});

describe.skipIf(missing)('quality', () => {
  test.each(isFull ? SETS : SETS.slice(0, 1))(
    'matches the figures of training on $name',
    ({ name, rows, count, accuracy, macroF1 }) => {
      const texts: Labelled[] = rows();
      expect(texts).toHaveLength(count);
      const predictions = predict(model, texts);
      const likely = byLikeliest(predictions);
      const published = evaluate(predictions);
      const { expectedError, brier } = likely.calibration;
      console.log(
        `${name}: likeliest ${format(likely)}, as published ${format(published)}, ` +
          `calibration error ${percent(expectedError)} %, Brier ${brier.toFixed(3)}`,
      );
      expect(Math.abs(100 * likely.accuracy - accuracy)).toBeLessThan(0.5);
      expect(Math.abs(100 * likely.macroF1 - macroF1)).toBeLessThan(0.5);
      // Undecided headlines are neutral, which costs little.
      expect(100 * published.accuracy).toBeGreaterThan(accuracy - 1);
      expect(100 * published.macroF1).toBeGreaterThan(macroF1 - 1);
    },
    TIMEOUT,
  );

  if (!isFull) return;
  test(
    'is higher if the target is named',
    () => {
      const assets = sentfinAssets('test');
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
    const texts = sentfinTest()
      .slice(0, isFull ? undefined : 300)
      .map(({ text }) => text);
    for (const text of texts.slice(0, 100)) trained.classify(text);
    // Computing time, because other programs may run at the same time.
    const taken = texts.map((text) => {
      const start = process.cpuUsage();
      trained.classify(text);
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
