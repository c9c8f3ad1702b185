// Accuracy of the sentiment scores: how the market moved after the news, by label.
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

export const NewsCalibration = z
  .object({
    items: z.array(NewsCalibrationItem).meta({ description: 'Accuracy by model, category, label and horizon' }),
    count: ItemCount,
    since: nullable(Timestamp, 'Publication of the first item included (ISO 8601, UTC); `null` without items'),
  })
  .meta({ id: 'NewsCalibration', description: 'Accuracy of the sentiment scores' });
export type NewsCalibration = z.infer<typeof NewsCalibration>;
