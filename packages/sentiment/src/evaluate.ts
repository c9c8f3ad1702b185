// Measures the quality of a model on labelled texts.
import { type Calibration, calibrate, type Prediction } from './calibration.ts';
import { calibrated, judge, LABELS, type Label } from './labels.ts';
import type { SentimentModel } from './model.ts';
import type { SentimentTarget } from './target.ts';

export interface LabelledText {
  readonly text: string;
  readonly label: Label;
  readonly category?: string | undefined;
  readonly target?: SentimentTarget | undefined;
}

/** A prediction with the label derived from it: as published, or by the highest probability. */
export interface LabelledPrediction extends Prediction {
  readonly label: Label;
}

export interface LabelQuality {
  /** Share of the texts predicted with this label that have it; `null` if it was never predicted. */
  readonly precision: number | null;
  /** Share of the texts with this label that were predicted with it; `null` if there are none. */
  readonly recall: number | null;
  /** Harmonic mean of both; 0 if either is missing. */
  readonly f1: number;
  /** Number of texts with this label. */
  readonly support: number;
}

export interface Evaluation {
  readonly count: number;
  readonly accuracy: number;
  /** Mean F1 of the three labels, each with the same weight. */
  readonly macroF1: number;
  /** Number of texts by true label, then by predicted label. */
  readonly confusion: Readonly<Record<Label, Readonly<Record<Label, number>>>>;
  readonly labels: Readonly<Record<Label, LabelQuality>>;
  readonly calibration: Calibration;
}

/** Predicts each text the way the service publishes it. */
export function predict(model: SentimentModel, rows: Iterable<LabelledText>): LabelledPrediction[] {
  return Array.from(rows, ({ text, label, category, target }) => {
    const sentiment = calibrated(model.classify(text, target, category), category);
    return { truth: label, sentiment, label: judge(sentiment, category).label };
  });
}

/** Throws a RangeError if there are no predictions. */
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
