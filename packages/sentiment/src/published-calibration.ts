// The calibration of the labels as published: chosen on the development half of our own headlines, measured on the blind half.
import calibration from '../model/calibration.json' with { type: 'json' };
import type { ReliabilityBin } from './calibration.ts';
import type { LabelRule } from './labels.ts';

export interface CategoryCalibration extends LabelRule {
  readonly category: string;
  readonly development: {
    readonly count: number;
    /** Share of headlines whose likeliest label is right. */
    readonly likeliestAccuracy: number;
    /** Share of headlines whose published label is right. */
    readonly accuracy: number;
  };
  readonly blind: {
    readonly count: number;
    /** Share of headlines whose published label is right. */
    readonly accuracy: number;
    /** See Calibration. */
    readonly expectedError: number;
    readonly brier: number;
    /** Without empty ones. */
    readonly bins: readonly ReliabilityBin[];
  };
}

export interface PublishedCalibration {
  /** Version of the model. */
  readonly model: string;
  readonly categories: readonly CategoryCalibration[];
}

/** Written by testing/write-calibration.ts. */
export const PUBLISHED_CALIBRATION: PublishedCalibration = calibration;
