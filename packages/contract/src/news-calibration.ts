// What the market did after the news, by label: how good the scores are, in public.
import { z } from 'zod';
import { NEWS_CATEGORIES, SENTIMENTS } from './news.ts';
import { Timestamp } from './values.ts';

/** Minutes after the service had an item at which the market is looked at. */
export const CALIBRATION_HORIZONS = [15, 60, 240] as const;
export type CalibrationHorizon = (typeof CALIBRATION_HORIZONS)[number];

const fraction = z.number().min(0).max(1);

export const NewsCalibrationItem = z
  .object({
    model: z.string().meta({ description: 'Which model gave the label' }),
    category: z.enum(NEWS_CATEGORIES),
    sentiment: z.enum(SENTIMENTS),
    horizon_minutes: z.literal(CALIBRATION_HORIZONS).meta({ description: 'Minutes after the service had the item' }),
    items: z.int().min(0).meta({ description: 'Items after which the market could be measured' }),
    hits: z.int().min(0).meta({ description: 'Those after which it moved as the label says' }),
    hit_rate: fraction.nullable().meta({ description: 'hits / items; null without any' }),
    hit_rate_low: fraction.nullable().meta({ description: 'Lower end of the 95 % Wilson interval of the hit rate' }),
    hit_rate_high: fraction.nullable().meta({ description: 'Upper end of it' }),
    average_move_percent: z
      .number()
      .nullable()
      .meta({ description: 'Mean move of the market over the horizon, in percent, rises positive; null without any' }),
  })
  .meta({ id: 'NewsCalibrationItem' });
export type NewsCalibrationItem = z.infer<typeof NewsCalibrationItem>;

export const NewsCalibration = z
  .object({
    items: z.array(NewsCalibrationItem),
    count: z.int().meta({ description: 'Number of items in this answer' }),
    since: Timestamp.nullable().meta({
      description: 'Publication of the first item that is counted; null without any',
    }),
  })
  .meta({ id: 'NewsCalibration' });
export type NewsCalibration = z.infer<typeof NewsCalibration>;
