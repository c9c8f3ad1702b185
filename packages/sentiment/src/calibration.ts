// Calibration of the probabilities: of the predictions with 80 % confidence, 80 % should be right.
import { LABELS, type Label, likeliest } from './labels.ts';
import type { TextSentiment } from './model.ts';

const BINS = 10;

export interface Prediction {
  /** The label assigned by a person. */
  readonly truth: Label;
  /** The probabilities of the model. */
  readonly sentiment: TextSentiment;
}

/** Texts whose highest probability lies in [from, to). */
export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Mean of the highest probabilities; `null` if the bin is empty. */
  readonly confidence: number | null;
  /** Share of texts whose likeliest label is right; `null` if the bin is empty. */
  readonly accuracy: number | null;
}

export interface Calibration {
  readonly bins: readonly ReliabilityBin[];
  /** Expected calibration error: the mean difference between confidence and accuracy, weighted by the size of the bins. */
  readonly expectedError: number;
  /** Brier score over the three labels: 0 is perfect, 2/3 is a uniform guess, 2 is certain and always wrong. */
  readonly brier: number;
}

export function calibrate(predictions: readonly Prediction[]): Calibration {
  const sums = Array.from({ length: BINS }, () => ({ count: 0, confidence: 0, right: 0 }));
  let brier = 0;
  for (const { truth, sentiment } of predictions) {
    const label = likeliest(sentiment);
    const confidence = sentiment[label];
    const bin = sums[Math.min(BINS - 1, Math.floor(confidence * BINS))]!;
    bin.count += 1;
    bin.confidence += confidence;
    if (label === truth) bin.right += 1;
    for (const each of LABELS) brier += (sentiment[each] - (each === truth ? 1 : 0)) ** 2;
  }
  return {
    bins: sums.map(({ count, confidence, right }, i) => ({
      from: i / BINS,
      to: (i + 1) / BINS,
      count,
      confidence: count ? confidence / count : null,
      accuracy: count ? right / count : null,
    })),
    expectedError: sums.reduce((gap, bin) => gap + Math.abs(bin.confidence - bin.right), 0) / predictions.length,
    brier: brier / predictions.length,
  };
}
