// Accuracy of the sentiment scores: how the market moved after the news, by label, and how well the label probabilities are calibrated.
import { z } from 'zod';
import { Fraction, ItemCount, nullable, Timestamp, text } from '../common/values.ts';
import { NewsCategoryName, NewsSentimentLabel } from './schemas.ts';

/** Minutes after an item arrived at which the market is measured. */
export const CALIBRATION_HORIZONS = [15, 60, 240] as const;
export type CalibrationHorizon = (typeof CALIBRATION_HORIZONS)[number];

export const NewsCalibrationItem = z
  .object({
    model: text('Id of the model that gave the label'),
    category: NewsCategoryName,
    sentiment: NewsSentimentLabel,
    horizon_minutes: z.literal(CALIBRATION_HORIZONS).meta({ description: 'Minutes after the item arrived' }),
    items: z.int().min(0).meta({ description: 'Items for which the market move could be measured' }),
    hits: z.int().min(0).meta({ description: 'Items after which the market moved as the label predicts' }),
    hit_rate: nullable(Fraction, 'hits / items; `null` without items'),
    hit_rate_low: nullable(Fraction, 'Lower bound of the 95 % Wilson interval of the hit rate'),
    hit_rate_high: nullable(Fraction, 'Upper bound of the 95 % Wilson interval of the hit rate'),
    average_move_percent: nullable(
      z.number(),
      'Average move of the market over the horizon in percent, positive for a rise; `null` without items',
    ),
  })
  .meta({ id: 'NewsCalibrationItem', description: 'Accuracy of one label, by model, category and horizon' });
export type NewsCalibrationItem = z.infer<typeof NewsCalibrationItem>;

const HeadlineCount = (what: string) => z.int().min(0).meta({ description: what });

export const NewsReliabilityBin = z
  .object({
    from: Fraction.meta({ description: 'Lower bound of the confidence, inclusive' }),
    to: Fraction.meta({ description: 'Upper bound of the confidence, exclusive' }),
    headlines: HeadlineCount('Headlines whose likeliest label has a probability in this range'),
    confidence: Fraction.meta({ description: 'Mean probability of their likeliest label' }),
    accuracy: Fraction.meta({ description: 'Share of them whose likeliest label is right' }),
  })
  .meta({ id: 'NewsReliabilityBin', description: 'Confidence and accuracy of headlines with a similar confidence' });
export type NewsReliabilityBin = z.infer<typeof NewsReliabilityBin>;

export const NewsLabelCalibration = z
  .object({
    model: text('Version of the model'),
    category: NewsCategoryName,
    temperature: z.number().positive().meta({
      description:
        'The logarithm of each probability is divided by this; above 1, probabilities are brought closer to each other',
    }),
    least_confidence: Fraction.meta({
      description: 'If the likeliest label is less likely than this, the item is `neutral` and undecided',
    }),
    chosen_on: HeadlineCount('Labelled headlines on which temperature and limit were chosen'),
    measured_on: HeadlineCount('Other labelled headlines, on which the figures below were measured'),
    accuracy: Fraction.meta({ description: 'Share of headlines whose published label is right' }),
    expected_error: Fraction.meta({
      description:
        'Expected calibration error: mean difference between confidence and accuracy of the bins, weighted by size',
    }),
    brier_score: z.number().min(0).max(2).meta({
      description: 'Brier score over the three labels: 0 is perfect, 2/3 is a uniform guess',
    }),
    bins: z.array(NewsReliabilityBin).meta({ description: 'By ascending confidence, without empty bins' }),
  })
  .meta({
    id: 'NewsLabelCalibration',
    description: 'Calibration of the label probabilities of the built-in model in one category',
  });
export type NewsLabelCalibration = z.infer<typeof NewsLabelCalibration>;

export const NewsCalibration = z
  .object({
    items: z.array(NewsCalibrationItem).meta({ description: 'Accuracy by model, category, label and horizon' }),
    count: ItemCount,
    since: nullable(Timestamp, 'Publication of the first item included (ISO 8601, UTC); `null` without items'),
    labels: z.array(NewsLabelCalibration).meta({
      description: 'Calibration of the label probabilities of the built-in model, measured on labelled headlines',
    }),
  })
  .meta({ id: 'NewsCalibration', description: 'Accuracy of the sentiment scores' });
export type NewsCalibration = z.infer<typeof NewsCalibration>;
