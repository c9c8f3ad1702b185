// Examples of track records. The numbers are consistent: the equity curve of goldsmith adds up to its total, and each of its
// signals is a decision.
import { EQUITY_CSV_COLUMNS, type PublisherDetail, SIGNALS_CSV_COLUMNS, type TrackRecord } from './publishers.ts';

const figures = {
  signals: 5,
  active: 0,
  closed: 5,
  ranked_signals: 4,
  wins: 2,
  losses: 2,
  breakeven: 0,
  unfilled: 1,
  unranked: 0,
  win_rate: 0.5,
  win_rate_low: 0.15,
  win_rate_high: 0.85,
  average_r: 0.3708,
  total_r: 1.4833,
  expectancy_r: 0.3708,
  profit_factor: 1.7355,
  max_drawdown_r: 1.0167,
  average_holding_seconds: 48359,
  sharpe: 0.231,
  probabilistic_sharpe: 0.6562,
  signals_needed: 52,
  first_at: '2026-02-23T09:14:02.331Z',
  last_at: '2026-03-01T23:12:19.540Z',
};

export const TRACK_RECORD_EXAMPLE: TrackRecord = {
  name: 'goldsmith',
  publisher: 'pub_8w2k5n1d',
  rank: null,
  status: 'unproven',
  reason: 'The trial has 4 complete decisions; at least 30 are needed.',
  missing: [
    { what: 'decisions', have: 4, need: 30 },
    { what: 'days', have: 4, need: 20 },
    { what: 'span_days', have: 6, need: 56 },
    { what: 'e_value', have: 1, need: 20 },
  ],
  decisions: 4,
  e_value: 1,
  open_r: 0,
  worst_open_r: null,
  drawdown_r: 0,
  exposure: [],
  voided: 0,
  warnings: [],
  ...figures,
};

export const PUBLISHER_EXAMPLE: PublisherDetail = {
  ...TRACK_RECORD_EXAMPLE,
  progress: {
    trial_ended_at: null,
    number: null,
    decisions: 4,
    days: 4,
    sum_r: 1.4833,
    need: 20,
    further: null,
  },
  equity: [
    { at: '2026-02-23T15:40:11.090Z', r: -1, total_r: -1, open: 0 },
    { at: '2026-02-25T04:22:36.475Z', r: 1.5, total_r: 0.5, open: 0 },
    { at: '2026-02-27T09:02:54.640Z', r: -1.0167, total_r: -0.5167, open: 0 },
    { at: '2026-03-02T08:31:55.263Z', r: 2, total_r: 1.4833, open: 0 },
  ],
  equity_now: { at: '2026-03-02T11:24:07.402Z', total_r: 1.4833, open: 0 },
  risk: 1,
  months: [
    { month: '2026-02', decisions: 3, r: -0.5167, percent: -0.54 },
    { month: '2026-03', decisions: 1, r: 2, percent: 2 },
  ],
  instruments: [{ symbol: 'XAUUSD', ...figures }],
};

export const SIGNALS_CSV_EXAMPLE = `${SIGNALS_CSV_COLUMNS.join(',')}
sig_3f8t1w6c,2026-03-01T23:12:19.540Z,XAUUSD,sell,market,2415.2,2421.2,2403.2,2026-03-01T23:12:19.540Z,2415.2,2026-03-02T08:31:55.263Z,2403.2,take_profit,120,0.4969,2,2,2,41,43
`;

export const EQUITY_CSV_EXAMPLE = `${EQUITY_CSV_COLUMNS.join(',')}
${PUBLISHER_EXAMPLE.equity
  .slice(0, 2)
  .map(({ at, r, total_r, open }) => [at, r, total_r, open].join(','))
  .join('\n')}
`;
