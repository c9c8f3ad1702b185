// Examples of track records. The numbers are consistent: the equity curve of goldsmith adds up to its total.
import type { PublisherDetail, TrackRecord } from './publishers.ts';

const goldsmith: TrackRecord = {
  name: 'goldsmith',
  publisher: 'pub_8w2k5n1d',
  rank: null,
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

/** Without a closed signal. */
const northDesk: TrackRecord = {
  name: 'north-desk',
  publisher: 'pub_2j6v9q4h',
  rank: null,
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
    { at: '2026-02-23T15:40:11.090Z', r: -1, total_r: -1 },
    { at: '2026-02-25T04:22:36.475Z', r: 1.5, total_r: 0.5 },
    { at: '2026-02-27T09:02:54.640Z', r: -1.0167, total_r: -0.5167 },
    { at: '2026-03-02T08:31:55.263Z', r: 2, total_r: 1.4833 },
  ],
  instruments: [
    { symbol: 'XAUUSD', signals: 3, wins: 1, losses: 2, total_r: -0.0167, average_r: -0.0056, win_rate: 0.3333 },
    { symbol: 'BTCUSD', signals: 2, wins: 1, losses: 0, total_r: 1.5, average_r: 1.5, win_rate: 1 },
  ],
};
