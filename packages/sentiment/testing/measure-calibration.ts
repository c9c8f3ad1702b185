// Chooses temperature and confidence limit of each category on the development half of our own headlines, and measures the result on
// the blind half.
import { calibrate } from '../src/calibration.ts';
import { judgeWith, type Label, type LabelRule, likeliest, withTemperature } from '../src/labels.ts';
import type { SentimentModel, TextSentiment } from '../src/model.ts';
import type { CategoryCalibration, PublishedCalibration } from '../src/published-calibration.ts';
import { ownHeadlines } from './headline-sets.ts';

const CATEGORIES = ['crypto', 'forex', 'gold', 'macro'];
/** 0.5 to 3, in steps of 0.1. */
const TEMPERATURES = Array.from({ length: 26 }, (_, step) => (5 + step) / 10);
/** 35 % to 70 %, in steps of 5 %. */
const LIMITS = Array.from({ length: 8 }, (_, step) => (35 + 5 * step) / 100);

interface Row {
  readonly truth: Label;
  readonly sentiment: TextSentiment;
}

export function measureCalibration(model: SentimentModel): PublishedCalibration {
  return { model: model.version, categories: CATEGORIES.map((category) => measureCategory(model, category)) };
}

function measureCategory(model: SentimentModel, category: string): CategoryCalibration {
  const rowsOf = (half: string): Row[] =>
    ownHeadlines(half)
      .filter((row) => row.category === category)
      .map(({ text, label }) => ({ truth: label, sentiment: model.classify(text, undefined, category) }));
  const development = rowsOf('development');
  const rule = choose(development);
  const blind = rowsOf('blind');
  const { bins, expectedError, brier } = calibrate(withRule(blind, rule));
  return {
    category,
    ...rule,
    development: {
      count: development.length,
      likeliestAccuracy: rounded(shareOf(development, ({ sentiment, truth }) => likeliest(sentiment) === truth)),
      accuracy: rounded(accuracyOf(development, rule)),
    },
    blind: {
      count: blind.length,
      accuracy: rounded(accuracyOf(blind, rule)),
      expectedError: rounded(expectedError),
      brier: rounded(brier),
      bins: bins
        .filter(({ count }) => count > 0)
        .map((bin) => ({ ...bin, confidence: rounded(bin.confidence!), accuracy: rounded(bin.accuracy!) })),
    },
  };
}

/** The temperature by likelihood, then the limit by accuracy: of equal limits the higher one. */
function choose(rows: readonly Row[]): LabelRule {
  const temperature = best(TEMPERATURES, (each) => likelihoodOf(rows, each));
  const leastConfidence = best(LIMITS.toReversed(), (each) => accuracyOf(rows, { temperature, leastConfidence: each }));
  return { temperature, leastConfidence };
}

/** The first value with the highest figure. */
const best = (values: readonly number[], figureOf: (value: number) => number): number =>
  values.reduce((chosen, value) => (figureOf(value) > figureOf(chosen) ? value : chosen));

const withRule = (rows: readonly Row[], { temperature }: Pick<LabelRule, 'temperature'>): Row[] =>
  rows.map(({ truth, sentiment }) => ({ truth, sentiment: withTemperature(sentiment, temperature) }));

const likelihoodOf = (rows: readonly Row[], temperature: number): number =>
  withRule(rows, { temperature }).reduce((sum, { truth, sentiment }) => sum + Math.log(sentiment[truth]), 0);

const accuracyOf = (rows: readonly Row[], rule: LabelRule): number =>
  shareOf(withRule(rows, rule), ({ truth, sentiment }) => judgeWith(sentiment, rule.leastConfidence).label === truth);

const shareOf = (rows: readonly Row[], isRight: (row: Row) => boolean): number =>
  rows.filter(isRight).length / rows.length;

const rounded = (share: number): number => Number(share.toFixed(4));
