// Publishers and their track records, all of it worked out from the signal log.
import { z } from 'zod';
import { integerQuery, SymbolCode, Timestamp } from './values.ts';

const fraction = z.number().min(0).max(1);

const record = {
  name: z.string().meta({ description: 'Display name' }),
  publisher: z.string().meta({ description: 'Id, which never changes' }),
  rank: z.int().min(1).nullable().meta({ description: 'From 1; null while there are too few signals to rank' }),
  signals: z.int().meta({ description: 'All that were published: active and closed ones' }),
  active: z.int(),
  closed: z.int().meta({ description: 'Ranked, unfilled and unranked ones' }),
  ranked_signals: z.int().meta({ description: 'Closed, filled and not unranked: those that the figures below count' }),
  wins: z.int().meta({ description: 'Ranked signals with R above 0' }),
  losses: z.int().meta({ description: 'Ranked signals with R below 0' }),
  breakeven: z.int().meta({ description: 'Ranked signals with R of exactly 0' }),
  unfilled: z.int().meta({ description: 'Closed before the entry was reached' }),
  unranked: z.int().meta({ description: 'Shown but not counted: a gap in the prices, or self-sourced' }),
  win_rate: fraction.nullable().meta({ description: 'wins / ranked_signals; null without any' }),
  win_rate_low: fraction.nullable().meta({ description: 'Lower end of the 95 % Wilson interval of the win rate' }),
  win_rate_high: fraction.nullable().meta({ description: 'Upper end of it' }),
  average_r: z.number().nullable().meta({ description: 'Mean R of the ranked signals' }),
  total_r: z.number().meta({ description: 'Sum of R of the ranked signals' }),
  expectancy_r: z.number().nullable().meta({ description: 'R to expect of a signal: the mean over the ranked ones' }),
  profit_factor: z.number().nullable().meta({ description: 'R won / R lost; null where nothing was lost' }),
  max_drawdown_r: z.number().min(0).meta({ description: 'Deepest fall of the sum of R below its peak' }),
  average_holding_seconds: z.number().nullable().meta({ description: 'From the fill to the closing' }),
  sharpe: z.number().nullable().meta({ description: 'Mean of R / its standard deviation, per signal, not annualised' }),
  probabilistic_sharpe: fraction
    .nullable()
    .meta({ description: 'Probability that the true Sharpe ratio is above 0, given how many signals there are' }),
  signals_needed: z
    .int()
    .nullable()
    .meta({ description: 'Ranked signals needed until that probability is 95 %; null where it cannot be said' }),
  first_at: Timestamp.nullable().meta({ description: 'First publication' }),
  last_at: Timestamp.nullable().meta({ description: 'Last publication' }),
};

export const TrackRecord = z.object(record).meta({ id: 'TrackRecord' });
export type TrackRecord = z.infer<typeof TrackRecord>;

export const PublisherList = z
  .object({ items: z.array(TrackRecord), count: z.int().meta({ description: 'Number of items in this answer' }) })
  .meta({ id: 'PublisherList' });
export type PublisherList = z.infer<typeof PublisherList>;

export const EquityPoint = z
  .object({
    at: Timestamp.meta({ description: 'Closing of a ranked signal' }),
    r: z.number(),
    total_r: z.number().meta({ description: 'Sum up to here' }),
  })
  .meta({ id: 'EquityPoint' });

export const InstrumentRecord = z
  .object({
    symbol: SymbolCode,
    signals: z.int().meta({ description: 'All that were published' }),
    wins: z.int(),
    losses: z.int(),
    total_r: z.number(),
    average_r: z.number().nullable(),
    win_rate: fraction.nullable(),
  })
  .meta({ id: 'InstrumentRecord' });

export const PublisherDetail = z
  .object({
    ...record,
    equity: z.array(EquityPoint).meta({
      description: 'After each ranked signal, in the order of closing; a long course is thinned to 500 points',
    }),
    instruments: z.array(InstrumentRecord),
  })
  .meta({ id: 'PublisherDetail' });
export type PublisherDetail = z.infer<typeof PublisherDetail>;

export const PublishersQuery = z.object({
  limit: integerQuery('Maximum number of results', 1, 200, 50),
});
export type PublishersQuery = z.infer<typeof PublishersQuery>;
