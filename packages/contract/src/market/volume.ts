// Volume at price: profiles of a time range, and footprints, which are the profiles of single bars.
import { z } from 'zod';
import {
  decimalQuery,
  instantQuery,
  integerQuery,
  nullable,
  number,
  SymbolCode,
  text,
  timestamp,
} from '../common/values.ts';
import { BarsQuery } from './bars.ts';

/** Levels of one profile, or of one bar of a footprint. */
export const MAX_PROFILE_LEVELS = 5_000;
/** Longest range of a profile. */
export const MAX_PROFILE_DAYS = 31;
export const MAX_FOOTPRINT_BARS = 1_000;

/** Timeframes whose footprints are streamed. */
export const FOOTPRINT_TIMEFRAMES = ['1m', '5m', '15m', '1h'] as const;
export type FootprintTimeframe = (typeof FOOTPRINT_TIMEFRAMES)[number];

export const SIDE_METHODS = ['feed', 'quote_rule', 'tick_rule', 'mixed'] as const;

const LEVEL =
  'Height of a price level. Default: that of the instrument. Must be a multiple of the height that is recorded, a tenth of the default';
const level = decimalQuery(LEVEL).optional().meta({ description: LEVEL, allowed: 'a number above 0' });

export const ProfileQuery = z.object({
  from: instantQuery(
    'Start of the range: minutes that start at or after this time. Default: 00:00 UTC of the day of `to`',
  ),
  to: instantQuery('End of the range: minutes that start at or before this time. Default: now'),
  level,
});
export type ProfileQuery = z.infer<typeof ProfileQuery>;

export const FootprintQuery = BarsQuery.extend({
  limit: integerQuery('Maximum number of bars', 1, MAX_FOOTPRINT_BARS, 100),
  level,
});
export type FootprintQuery = z.infer<typeof FootprintQuery>;

export const PriceLevel = z
  .object({
    price: number('Lowest price of the level'),
    buy: z.number().nonnegative().meta({ description: 'Volume of buyers who lifted the ask' }),
    sell: z.number().nonnegative().meta({ description: 'Volume of sellers who hit the bid' }),
  })
  .meta({ id: 'PriceLevel', description: 'Volume that traded within one price level' });
export type PriceLevel = z.infer<typeof PriceLevel>;

const volumes = {
  volume: z.number().nonnegative().meta({ description: 'Traded volume: the sum of all levels' }),
  delta: number('Bought minus sold volume: the sum of all levels'),
};
const levels = z.array(PriceLevel).meta({ description: 'Levels with trades, ascending' });
const uncovered = z.number().nonnegative().meta({
  description: 'Traded volume that is not in `levels`, because only bars of it are known. 0 if nothing is missing',
});

const common = {
  symbol: SymbolCode,
  level: number('Height of a level'),
  side_method: nullable(
    z.enum(SIDE_METHODS),
    'How the sides of the trades are known. `feed`: the source reports them. `quote_rule`, `tick_rule`: inferred, see order flow. ' +
      '`mixed`: several of these. `null` without trades',
  ),
};

export const Profile = z
  .object({
    ...common,
    from: timestamp('Start of the range'),
    to: timestamp('End of the range'),
    ...volumes,
    poc: nullable(
      z.number(),
      'Point of control: lowest price of the level with the most volume. Of several, the one nearest to the middle of the range, then the lower. `null` without trades',
    ),
    value_area: nullable(
      z.object({
        low: number('Lowest price of the lowest level'),
        high: number('Lowest price of the highest level'),
      }),
      'Value area: grown from the point of control, level by level, to at least 70 % of the volume. `null` without trades',
    ),
    levels,
    uncovered_volume: uncovered,
    covered_from: timestamp(
      'From here to the end of the range, every trade is in `levels`. The start of the range if nothing is missing',
    ),
  })
  .meta({ id: 'Profile', description: 'Volume at price of a time range' });
export type Profile = z.infer<typeof Profile>;

export const FootprintBar = z
  .object({ time: timestamp('Start of the bar'), ...volumes, levels, uncovered_volume: uncovered })
  .meta({ id: 'FootprintBar', description: 'Volume at price of one bar' });
export type FootprintBar = z.infer<typeof FootprintBar>;

export const FootprintPage = z
  .object({
    ...common,
    interval: text('Length of a bar'),
    align: text('When a day starts'),
    items: z.array(FootprintBar).meta({ description: 'Bars in ascending order; the newest one may still be forming' }),
    next: nullable(
      z.string(),
      'Cursor of the next page: older bars, or newer ones if `from` was given. `null` if there are no more. A page may have ' +
        'fewer bars than `limit` and still have a next one',
    ),
  })
  .meta({ id: 'FootprintPage', description: 'Footprints of one instrument, one page' });
export type FootprintPage = z.infer<typeof FootprintPage>;
