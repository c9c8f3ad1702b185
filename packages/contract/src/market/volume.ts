// Volume at price: profiles of a time range, and footprints, which are the profiles of single bars.
import { z } from 'zod';
import {
  decimalQuery,
  instantQuery,
  integerQuery,
  namedObject,
  nullable,
  number,
  RANGE_END,
  RANGE_START,
  SymbolCode,
  timestamp,
} from '../common/values.ts';
import { BarsQuery, barsOf, nextBars } from './bars.ts';

/** Levels of one profile, or of one bar of a footprint. */
export const MAX_PROFILE_LEVELS = 5_000;
/** Longest range of a profile. */
export const MAX_PROFILE_DAYS = 31;
const MAX_FOOTPRINT_BARS = 1_000;

export const SIDE_METHODS = ['feed', 'quote_rule', 'tick_rule', 'mixed'] as const;

const LEVEL = 'Height of a price level, a multiple of a tenth of the default of the instrument';
const level = decimalQuery(LEVEL).optional().meta({ description: LEVEL, allowed: 'a number above 0' });

export const ProfileQuery = z.object({
  from: instantQuery(`${RANGE_START}. Default: 00:00 UTC of the day of \`to\``),
  to: instantQuery(`${RANGE_END}. Default: now`),
  level,
});
export type ProfileQuery = z.infer<typeof ProfileQuery>;

export const FootprintQuery = BarsQuery.extend({
  limit: integerQuery('Maximum number of items', 1, MAX_FOOTPRINT_BARS, 100),
  level,
});
export type FootprintQuery = z.infer<typeof FootprintQuery>;

export const PriceLevel = namedObject('PriceLevel', 'Volume that traded within one price level', () => ({
  price: number('Lowest price of the level'),
  buy: z.number().nonnegative().meta({ description: 'Volume of buyers who lifted the ask' }),
  sell: z.number().nonnegative().meta({ description: 'Volume of sellers who hit the bid' }),
}));
export type PriceLevel = z.infer<typeof PriceLevel>;

const volumes = {
  volume: z.number().nonnegative().meta({ description: 'Traded volume' }),
  delta: number('Bought minus sold volume'),
};
const levels = z.array(PriceLevel).meta({ description: 'Levels with trades, ascending' });
const uncovered = z.number().nonnegative().meta({
  description: 'Volume that is not in `levels`, because only its bars are known',
});

const common = {
  level: number('Height of a level'),
  side_method: nullable(
    z.enum(SIDE_METHODS),
    'Where the sides come from: `feed`: the source reports them; `quote_rule`, `tick_rule`: inferred; `null` without trades',
  ),
};

export const Profile = namedObject('Profile', 'Volume at price of a time range', () => ({
  symbol: SymbolCode,
  ...common,
  from: timestamp('Start of the range'),
  to: timestamp('End of the range'),
  ...volumes,
  poc: nullable(
    z.number(),
    'Point of control: lowest price of the level with the most volume, nearest to the middle of the range; `null` without trades',
  ),
  value_area: nullable(
    z.object({
      low: number('Lowest price of the lowest level'),
      high: number('Lowest price of the highest level'),
    }),
    'Levels around the point of control with at least 70 % of the volume; `null` without trades',
  ),
  levels,
  uncovered_volume: uncovered,
  covered_from: timestamp('Time from which `levels` has every trade'),
}));
export type Profile = z.infer<typeof Profile>;

export const FootprintBar = namedObject('FootprintBar', 'Volume at price of one bar', () => ({
  time: timestamp('Time of the event, or start of the bar or interval'),
  ...volumes,
  levels,
  uncovered_volume: uncovered,
}));
export type FootprintBar = z.infer<typeof FootprintBar>;

export const FootprintPage = namedObject('FootprintPage', 'Footprints of one instrument, one page', () => ({
  ...barsOf,
  ...common,
  items: z.array(FootprintBar).meta({ description: 'Ascending; the newest may still be forming' }),
  next: nextBars,
}));
export type FootprintPage = z.infer<typeof FootprintPage>;
