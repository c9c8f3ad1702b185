// Whether probabilities mean what they say: of the texts called 80 % likely, 80 % should be right.
import { LABELS, type Label, likeliest } from './labels.ts';
import type { Sentiment } from './model.ts';

const BINS = 10;

export interface Prediction {
  /** The label somebody gave by hand. */
  readonly truth: Label;
  /** The probabilities of the model. */
  readonly sentiment: Sentiment;
}

/** Texts whose highest probability lies in [from, to). */
export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Mean of the highest probabilities; null where the bin is empty. */
  readonly confidence: number | null;
  /** Share in which the likeliest label was right; null where the bin is empty. */
  readonly accuracy: number | null;
}

export interface Calibration {
  readonly bins: readonly ReliabilityBin[];
  /** Expected calibration error: the mean gap between confidence and accuracy, weighted by the texts in each bin. */
  readonly expectedError: number;
  /** Brier score over the three labels: 0 is perfect, 2/3 is to know nothing, 2 is to be sure and always wrong. */
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
