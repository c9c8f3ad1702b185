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

/** Mean over λ of (1 − λ)(1 + 1.5λ)(1 − 1.0167λ)(1 + 2λ). */
const E_VALUE = 1.112;

const goldsmith: TrackRecord = {
  name: 'goldsmith',
  publisher: 'pub_8w2k5n1d',
  rank: null,
  status: 'unproven',
  reason: 'There are 4 decisions; at least 30 are needed.',
  missing: [
    { what: 'decisions', have: 4, need: 30 },
    { what: 'days', have: 4, need: 20 },
    { what: 'span_days', have: 6, need: 56 },
    { what: 'e_value', have: E_VALUE, need: 20 },
  ],
  decisions: 4,
  e_value: E_VALUE,
  open_r: 0,
  worst_open_r: null,
  drawdown_r: 0,
  exposure: [],
  voided: 0,
  warnings: [],
  ...figures,
};

/** Without a closed signal. */
const northDesk: TrackRecord = {
  name: 'north-desk',
  publisher: 'pub_2j6v9q4h',
  rank: null,
  status: 'unproven',
  reason: 'There are 0 decisions; at least 30 are needed.',
  missing: [
    { what: 'decisions', have: 0, need: 30 },
    { what: 'days', have: 0, need: 20 },
    { what: 'span_days', have: 0, need: 56 },
    { what: 'e_value', have: 1, need: 20 },
  ],
  decisions: 0,
  e_value: 1,
  open_r: 0.1,
  worst_open_r: -0.2667,
  drawdown_r: 0,
  exposure: [
    { asset: 'EUR', net_r: 1, signals: 1 },
    { asset: 'USD', net_r: -1, signals: 1 },
  ],
  voided: 0,
  warnings: [],
  signals: 1,
  active: 1,
  closed: 0,
  ranked_signals: 0,
  wins: 0,
  losses: 0,
  breakeven: 0,
  unfilled: 0,
  unranked: 0,
  win_rate: null,
  win_rate_low: null,
  win_rate_high: null,
  average_r: null,
  total_r: 0,
  expectancy_r: null,
  profit_factor: null,
  max_drawdown_r: 0,
  average_holding_seconds: null,
  sharpe: null,
  probabilistic_sharpe: null,
  signals_needed: null,
  first_at: '2026-03-02T10:58:41.007Z',
  last_at: '2026-03-02T10:58:41.007Z',
};

export const TRACK_RECORD_EXAMPLES: readonly TrackRecord[] = [goldsmith, northDesk];

export const PUBLISHER_EXAMPLE: PublisherDetail = {
  ...goldsmith,
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
