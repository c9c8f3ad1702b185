// How good a model is on texts that people have labelled.
import { type Calibration, calibrate, type Prediction } from './calibration.ts';
import { inCategory, LABELS, type Label, labelOf } from './labels.ts';
import type { SentimentModel } from './model.ts';
import type { Target } from './target.ts';

export interface LabelledText {
  readonly text: string;
  readonly label: Label;
  readonly category?: string | undefined;
  readonly target?: Target | undefined;
}

/** A prediction and the label that was made of it: by the thresholds, or by the highest probability. */
export interface LabelledPrediction extends Prediction {
  readonly label: Label;
}

export interface LabelQuality {
  /** Of those given this label, the share that deserved it; null where it was never given. */
  readonly precision: number | null;
  /** Of those that deserve this label, the share that got it; null where none does. */
  readonly recall: number | null;
  /** Harmonic mean of both; 0 where either is missing. */
  readonly f1: number;
  /** Texts that deserve this label. */
  readonly support: number;
}

export interface Evaluation {
  readonly count: number;
  readonly accuracy: number;
  /** Mean F1 of the three labels: a rare label counts as much as a common one. */
  readonly macroF1: number;
  /** Texts by true label, then by given label. */
  readonly confusion: Readonly<Record<Label, Readonly<Record<Label, number>>>>;
  readonly labels: Readonly<Record<Label, LabelQuality>>;
  readonly calibration: Calibration;
}

/** What the service would publish for each text. */
export function predict(model: SentimentModel, rows: Iterable<LabelledText>): LabelledPrediction[] {
  return Array.from(rows, ({ text, label, category, target }) => {
    const sentiment = inCategory(model.classify(text, target), category);
    return { truth: label, sentiment, label: labelOf(sentiment.score, category) };
  });
}

/** Throws a RangeError for no rows: there is nothing to divide by. */
export function evaluate(predictions: readonly LabelledPrediction[]): Evaluation {
  if (predictions.length === 0) throw new RangeError('there are no labelled texts to evaluate');
  const confusion = perLabel(() => perLabel(() => 0));
  for (const { truth, label } of predictions) confusion[truth][label] += 1;
  const labels = perLabel((label) => qualityOf(label, confusion));
  const right = LABELS.reduce((total, label) => total + confusion[label][label], 0);
  return {
    count: predictions.length,
    accuracy: right / predictions.length,
    macroF1: LABELS.reduce((total, label) => total + labels[label].f1, 0) / LABELS.length,
    confusion,
    labels,
    calibration: calibrate(predictions),
  };
}

function qualityOf(label: Label, confusion: Evaluation['confusion']): LabelQuality {
  const right = confusion[label][label];
  const support = LABELS.reduce((total, given) => total + confusion[label][given], 0);
  const given = LABELS.reduce((total, truth) => total + confusion[truth][label], 0);
  return {
    precision: given ? right / given : null,
    recall: support ? right / support : null,
    f1: right ? (2 * right) / (given + support) : 0,
    support,
  };
}

const perLabel = <T>(value: (label: Label) => T): Record<Label, T> => ({
  negative: value('negative'),
  neutral: value('neutral'),
  positive: value('positive'),
});
