// Publishers and their track records, computed from the signal log. R is a multiple of the initial risk of a signal.
// docs/reference/signals.md, "Track records", defines every figure.
import { z } from 'zod';
import {
  booleanQuery,
  enumQuery,
  Fraction,
  ItemCount,
  integer,
  integerQuery,
  namedObject,
  nextPage,
  nullable,
  number,
  numberQuery,
  SymbolCode,
  setQuery,
  Timestamp,
  text,
  timestamp,
} from '../common/values.ts';

/** Figures over a set of signals: all of a publisher, or some of them. */
const figures = {
  signals: integer('Published signals'),
  active: integer('Active signals'),
  closed: integer('Closed signals'),
  ranked_signals: integer('Closed signals with a result'),
  wins: integer('Ranked, R above 0'),
  losses: integer('Ranked, R below 0'),
  breakeven: integer('Ranked, R exactly 0'),
  unfilled: integer('Closed before the entry was filled'),
  unranked: integer('Void, or with missing or untrusted prices'),
  win_rate: nullable(Fraction, 'wins / ranked_signals'),
  win_rate_low: nullable(Fraction, 'Low end of its 95 % Wilson interval'),
  win_rate_high: nullable(Fraction, 'High end of its 95 % Wilson interval'),
  average_r: nullable(z.number(), 'Mean R of the ranked signals'),
  total_r: number('Sum of R of the ranked signals'),
  expectancy_r: nullable(z.number(), 'Same as `average_r`'),
  profit_factor: nullable(z.number(), 'R won / R lost; `null` if nothing was lost'),
  max_drawdown_r: z.number().min(0).meta({ description: 'Largest decline of R from a peak' }),
  average_holding_seconds: nullable(z.number(), 'Mean seconds from fill to closing'),
  sharpe: nullable(z.number(), 'Mean / standard deviation of R, per signal'),
  probabilistic_sharpe: nullable(Fraction, 'Probability that the true Sharpe ratio is above 0'),
  signals_needed: nullable(z.int(), 'Ranked signals needed for 95 %; `null` if unknown'),
  first_at: nullable(Timestamp, 'First publication (ISO 8601, UTC)'),
  last_at: nullable(Timestamp, 'Last publication (ISO 8601, UTC)'),
};

const STATUSES = ['ranked', 'unproven', 'losing', 'inactive'] as const;

export const MissingCondition = namedObject('MissingCondition', 'A condition for a rank that is not met', () => ({
  what: z
    .enum(['decisions', 'days', 'sum_r', 'span_days', 'e_value', 'recent_decisions'])
    .meta({ description: 'Condition, as in K6 of the rules' }),
  have: number('Current value'),
  need: number('Required value'),
}));

export const Exposure = namedObject('Exposure', 'Net direction of the open signals in one asset', () => ({
  asset: text('Currency or other asset'),
  net_r: integer('Long minus short open signals'),
  signals: integer('Open signals in it'),
}));

export const WARNING_CODES = [
  'far_stops',
  'closed_by_hand',
  'withdrawn',
  'short_holding',
  'one_symbol',
  'untrusted_prices',
  'many_open',
  'copied',
] as const;

export const RecordWarning = namedObject('RecordWarning', 'A warning about the results of a publisher', () => ({
  code: z.enum(WARNING_CODES).meta({ description: 'Kind of the warning' }),
  text: text('The warning in one sentence'),
}));

const record = {
  name: text('Name'),
  publisher: text('Id of the publisher'),
  rank: nullable(z.int().min(1), 'Rank, starting at 1; `null` unless the status is `ranked`'),
  status: z.enum(STATUSES).meta({ description: 'Result of the ranking; `reason` explains it' }),
  reason: text('Reason for the status, one sentence'),
  missing: z.array(MissingCondition).meta({ description: 'Conditions for a rank that are not met' }),
  decisions: integer('Counted decisions'),
  e_value: z.number().min(0).meta({
    description: 'Evidence for a mean R above 0: starts at 1, at most 1e12',
  }),
  open_r: number('Sum of R of the open signals at the current price'),
  worst_open_r: nullable(z.number(), 'Lowest R of an open signal since its fill'),
  drawdown_r: z.number().min(0).meta({
    description: 'Current decline of R from its peak, open signals included',
  }),
  exposure: z.array(Exposure).meta({ description: 'Net direction of open signals by asset' }),
  voided: integer('Signals that an operator declared void'),
  warnings: z.array(RecordWarning).meta({ description: 'Warnings about the results' }),
  ...figures,
};

export const TrackRecord = namedObject('TrackRecord', 'Verified results of one publisher', () => record);
export type TrackRecord = z.infer<typeof TrackRecord>;

export const PublisherList = namedObject('PublisherList', 'Publishers with their track records', () => ({
  items: z.array(TrackRecord).meta({ description: 'Publishers, in the requested order' }),
  count: ItemCount,
  total: integer('Matching publishers'),
  next: nextPage(z.int()),
  time_waived: z.boolean().meta({
    description: 'Whether a rank requires no days and weeks, as in simulated markets',
  }),
}));
export type PublisherList = z.infer<typeof PublisherList>;

export const EquityPoint = namedObject('EquityPoint', 'A point of the equity curve', () => ({
  at: timestamp('Closing of a ranked signal'),
  r: number('R of this signal'),
  total_r: number('Sum of R up to and including this signal'),
  open: integer('Other signals that were open at that time'),
}));

export const EquityNow = namedObject('EquityNow', 'The end of the equity curve with open signals', () => ({
  at: timestamp('Time of the valuation'),
  total_r: number('Sum of R with open signals'),
  open: integer('Open signals'),
}));

export const MonthRecord = namedObject('MonthRecord', 'Results of a publisher in one month', () => ({
  month: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .meta({ description: 'UTC month' }),
  decisions: integer('Decisions completed in this month'),
  r: number('Sum of their R'),
  percent: number('Compounded change of an account at this `risk`'),
}));

export const InstrumentRecord = namedObject('InstrumentRecord', 'Results of a publisher on one instrument', () => ({
  symbol: SymbolCode,
  ...figures,
}));

export const SignalFigures = namedObject('SignalFigures', 'Figures over a set of signals', () => figures);

export const WindowRecords = namedObject(
  'WindowRecords',
  'Results near high-impact calendar events, and without them',
  () => ({
    minutes: integer('Minutes before and after an event'),
    inside: SignalFigures.meta({ description: 'Signals whose entry or exit was inside a window' }),
    outside: SignalFigures.meta({ description: 'All other signals' }),
  }),
);

export const RankProgress = namedObject('RankProgress', 'The way of a publisher to a rank', () => ({
  trial_ended_at: nullable(Timestamp, 'End of the trial; `null` during it'),
  number: nullable(z.int().min(1), 'Number of the trial; `null` during it'),
  decisions: integer('Complete decisions of the trial, then counted ones since'),
  days: nullable(z.int(), 'During the trial: days on which they began'),
  sum_r: nullable(z.number(), 'During the trial: sum of their R'),
  need: number('e-value for a rank; during the trial, as if it ended now'),
  further: nullable(z.int(), 'About how many more decisions that takes; usually a third to twice as many'),
}));
export type RankProgress = z.infer<typeof RankProgress>;

export const PublisherDetail = namedObject('PublisherDetail', 'Track record of one publisher in detail', () => ({
  ...record,
  progress: RankProgress,
  equity: z.array(EquityPoint).meta({
    description: 'One point per ranked signal, by time of closing, reduced to at most 500',
  }),
  equity_now: EquityNow,
  risk: number('Percent at risk on each decision'),
  months: z.array(MonthRecord).meta({ description: 'Results by month of completion, ascending' }),
  instruments: z.array(InstrumentRecord).meta({ description: 'Results by instrument' }),
  windows: WindowRecords.optional().meta({
    description: 'With `windows=true`: results near high-impact calendar events, and without them',
  }),
}));
export type PublisherDetail = z.infer<typeof PublisherDetail>;

export const SIGNALS_CSV_COLUMNS = [
  'id',
  'published_at',
  'symbol',
  'direction',
  'order',
  'entry',
  'stop_loss',
  'take_profit',
  'filled_at',
  'entry_price',
  'closed_at',
  'exit_price',
  'close_reason',
  'pnl',
  'pnl_percent',
  'pnl_r',
  'rank_r',
  'published_n',
  'closed_n',
] as const;
export const EQUITY_CSV_COLUMNS = ['at', 'r', 'total_r', 'open'] as const;

const csv = (id: string, what: string) => z.string().meta({ id, description: `${what}, after a header line` });
export const SignalsCsv = csv('SignalsCsv', 'Signals, one per line');
export const EquityCsv = csv('EquityCsv', 'Points of the equity curve, one per line');

export const PUBLISHER_SORTS = [
  'rank',
  'name',
  'e_value',
  'decisions',
  'total_r',
  'average_r',
  'win_rate',
  'profit_factor',
  'max_drawdown_r',
  'drawdown_r',
  'open_r',
  'signals',
  'last_at',
] as const;
export type PublisherSort = (typeof PUBLISHER_SORTS)[number];

/** `max_drawdown` without effect. */
export const ANY_DRAWDOWN = 1_000_000;

export const PublishersQuery = z.object({
  limit: integerQuery('Maximum number of items', 1, 200, 50),
  offset: integerQuery('Number of publishers to skip', 0, Number.MAX_SAFE_INTEGER, 0),
  symbol: z.string().min(1).max(32).optional().meta({
    description: 'Only publishers and figures of this instrument',
    allowed: 'a symbol',
  }),
  period: z.enum(['30', '90', '365']).optional().meta({
    description: 'Number of days: figures cover only the signals that closed in this time',
    allowed: 'one of 30, 90, 365',
  }),
  min_decisions: integerQuery('Minimum number of decisions', 0, Number.MAX_SAFE_INTEGER, 0),
  max_drawdown: numberQuery('Maximum of `max_drawdown_r`', 0, ANY_DRAWDOWN, ANY_DRAWDOWN),
  status: setQuery('Only publishers with one of these statuses', STATUSES),
  sort: enumQuery('Field to sort by', PUBLISHER_SORTS, 'rank'),
  order: z.enum(['asc', 'desc']).optional().meta({
    description: 'Default: `asc` for `rank`, `name` and drawdowns, else `desc`. `null` comes last',
    allowed: 'one of asc, desc',
  }),
});
export type PublishersQuery = z.infer<typeof PublishersQuery>;

export const PublisherQuery = z.object({
  risk: numberQuery('Percent of the account at risk on each decision, for `months`', 0.01, 100, 1),
  windows: booleanQuery('Add `windows`: results near high-impact calendar events, and without them', false),
});
export type PublisherQuery = z.infer<typeof PublisherQuery>;
