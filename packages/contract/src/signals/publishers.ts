// Publishers and their track records, computed from the signal log. R is a multiple of the initial risk of a signal.
import { z } from 'zod';
import {
  Fraction,
  ItemCount,
  integer,
  integerQuery,
  nullable,
  number,
  SymbolCode,
  Timestamp,
  text,
  timestamp,
} from '../common/values.ts';

const record = {
  name: text('Display name'),
  publisher: text('Id of the publisher, which never changes'),
  rank: nullable(z.int().min(1), 'Rank, starting at 1; `null` while there are too few signals to rank'),
  signals: integer('Published signals, active and closed'),
  active: integer('Active signals'),
  closed: integer('Closed signals: ranked, unfilled and unranked'),
  ranked_signals: integer('Signals that the statistics below include: closed, filled and not unranked'),
  wins: integer('Ranked signals with R above 0'),
  losses: integer('Ranked signals with R below 0'),
  breakeven: integer('Ranked signals with R of exactly 0'),
  unfilled: integer('Signals closed before the entry was filled'),
  unranked: integer('Signals not included, because prices were missing or came from the publisher'),
  win_rate: nullable(Fraction, 'wins / ranked_signals; `null` without ranked signals'),
  win_rate_low: nullable(Fraction, 'Lower bound of the 95 % Wilson interval of the win rate'),
  win_rate_high: nullable(Fraction, 'Upper bound of the 95 % Wilson interval of the win rate'),
  average_r: nullable(z.number(), 'Mean R of the ranked signals'),
  total_r: number('Sum of R of the ranked signals'),
  expectancy_r: nullable(z.number(), 'Expected R of a signal: the mean R of the ranked signals'),
  profit_factor: nullable(z.number(), 'R won / R lost; `null` if nothing was lost'),
  max_drawdown_r: z.number().min(0).meta({ description: 'Largest decline of the sum of R from a peak, in R' }),
  average_holding_seconds: nullable(z.number(), 'Mean time from the fill to the closing, in seconds'),
  sharpe: nullable(z.number(), 'Mean of R / standard deviation of R, per signal, not annualised'),
  probabilistic_sharpe: nullable(
    Fraction,
    'Probability that the true Sharpe ratio is above 0, given the number of signals',
  ),
  signals_needed: nullable(
    z.int(),
    'Ranked signals needed for that probability to reach 95 %; `null` if it cannot be determined',
  ),
  first_at: nullable(Timestamp, 'Time of the first publication (ISO 8601, UTC)'),
  last_at: nullable(Timestamp, 'Time of the last publication (ISO 8601, UTC)'),
};

export const TrackRecord = z
  .object(record)
  .meta({ id: 'TrackRecord', description: 'Verified results of one publisher' });
export type TrackRecord = z.infer<typeof TrackRecord>;

export const PublisherList = z
  .object({ items: z.array(TrackRecord).meta({ description: 'Publishers, best first' }), count: ItemCount })
  .meta({ id: 'PublisherList', description: 'Publishers with their track records' });
export type PublisherList = z.infer<typeof PublisherList>;

export const EquityPoint = z
  .object({
    at: timestamp('Closing of a ranked signal'),
    r: number('R of this signal'),
    total_r: number('Sum of R up to and including this signal'),
  })
  .meta({ id: 'EquityPoint', description: 'A point of the equity curve' });

export const InstrumentRecord = z
  .object({
    symbol: SymbolCode,
    signals: integer('Published signals'),
    wins: integer('Ranked signals with R above 0'),
    losses: integer('Ranked signals with R below 0'),
    total_r: number('Sum of R of the ranked signals'),
    average_r: nullable(z.number(), 'Mean R of the ranked signals'),
    win_rate: nullable(Fraction, 'Fraction of the ranked signals with R above 0'),
  })
  .meta({ id: 'InstrumentRecord', description: 'Results of a publisher on one instrument' });

export const PublisherDetail = z
  .object({
    ...record,
    equity: z.array(EquityPoint).meta({
      description: 'Equity curve: one point per ranked signal, in order of closing, reduced to at most 500 points',
    }),
    instruments: z.array(InstrumentRecord).meta({ description: 'Results by instrument' }),
  })
  .meta({ id: 'PublisherDetail', description: 'Track record of one publisher in detail' });
export type PublisherDetail = z.infer<typeof PublisherDetail>;

export const PublishersQuery = z.object({
  limit: integerQuery('Maximum number of publishers', 1, 200, 50),
});
export type PublishersQuery = z.infer<typeof PublishersQuery>;
