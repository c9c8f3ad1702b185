// Accuracy of the sentiment scores: how the market moved after the news, by label, and how well the label probabilities are calibrated.
import { z } from 'zod';
import { Fraction, ItemCount, namedObject, nullable, Timestamp, text } from '../common/values.ts';
import { NewsCategoryName, NewsSentimentLabel } from './schemas.ts';

/** Minutes after an item arrived at which the market is measured. */
export const CALIBRATION_HORIZONS = [15, 60, 240] as const;
export type CalibrationHorizon = (typeof CALIBRATION_HORIZONS)[number];

export const NewsCalibrationItem = namedObject(
  'NewsCalibrationItem',
  'Accuracy of one label, by model, category and horizon',
  () => ({
    model: text('Id of the model'),
    category: NewsCategoryName,
    sentiment: NewsSentimentLabel,
    horizon_minutes: z.literal(CALIBRATION_HORIZONS).meta({ description: 'Minutes after the item arrived' }),
    items: z.int().min(0).meta({ description: 'Items for which the market move could be measured' }),
    hits: z.int().min(0).meta({ description: 'Items after which the market moved as the label predicts' }),
    hit_rate: nullable(Fraction, 'hits / items; `null` without items'),
    hit_rate_low: nullable(Fraction, 'Low end of its 95 % Wilson interval'),
    hit_rate_high: nullable(Fraction, 'High end of its 95 % Wilson interval'),
    average_move_percent: nullable(z.number(), 'Average move over the horizon in percent'),
  }),
);
export type NewsCalibrationItem = z.infer<typeof NewsCalibrationItem>;

const HeadlineCount = (what: string) => z.int().min(0).meta({ description: what });

export const NewsReliabilityBin = namedObject('NewsReliabilityBin', 'Headlines with a similar confidence', () => ({
  from: Fraction.meta({ description: 'Lower bound of the confidence, inclusive' }),
  to: Fraction.meta({ description: 'Upper bound of the confidence, exclusive' }),
  headlines: HeadlineCount('Headlines in this range'),
  confidence: Fraction.meta({ description: 'Mean probability of their likeliest label' }),
  accuracy: Fraction.meta({ description: 'Share of them whose likeliest label is right' }),
}));

export const NewsLabelCalibration = namedObject(
  'NewsLabelCalibration',
  'Calibration of the built-in model in one category',
  () => ({
    model: text('Version of the model'),
    category: NewsCategoryName,
    temperature: z.number().positive().meta({
      description: 'Divisor of the logarithms of probabilities; above 1 evens them out',
    }),
    least_confidence: Fraction.meta({
      description: 'Below this, an item is `neutral` and undecided',
    }),
    chosen_on: HeadlineCount('Headlines on which both were chosen'),
    measured_on: HeadlineCount('Other headlines, on which the figures were measured'),
    accuracy: Fraction.meta({ description: 'Share of headlines whose published label is right' }),
    expected_error: Fraction.meta({
      description: 'Expected calibration error',
    }),
    brier_score: z.number().min(0).max(2).meta({
      description: 'Brier score: 0 is perfect, 2/3 is a uniform guess',
    }),
    bins: z.array(NewsReliabilityBin).meta({ description: 'By ascending confidence, without empty bins' }),
  }),
);
export type NewsLabelCalibration = z.infer<typeof NewsLabelCalibration>;

export const NewsCalibration = namedObject('NewsCalibration', 'Accuracy of the sentiment scores', () => ({
  items: z.array(NewsCalibrationItem).meta({ description: 'Accuracy by model, category, label and horizon' }),
  count: ItemCount,
  since: nullable(Timestamp, 'Publication of the first item; `null` without items'),
  labels: z.array(NewsLabelCalibration).meta({
    description: 'Calibration of the built-in model on labelled headlines',
  }),
}));
export type NewsCalibration = z.infer<typeof NewsCalibration>;
