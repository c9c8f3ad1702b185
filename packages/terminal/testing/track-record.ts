// Two track records for tests, from the examples of the contract: one with four ranked signals whose figures follow from its
// equity curve, and one that has just begun.
import { PUBLISHER_EXAMPLE, type TrackRecord } from '@tickwire/contract';

export const GOLDSMITH = PUBLISHER_EXAMPLE;
/** Without a closed signal. */
export const NORTH_DESK: TrackRecord = {
  name: 'north-desk',
  publisher: 'pub_2j6v9q4h',
  rank: null,
  status: 'unproven',
  reason: 'The trial has 0 complete decisions; at least 30 are needed.',
  missing: [
    { what: 'decisions', have: 0, need: 30 },
    { what: 'days', have: 0, need: 20 },
    { what: 'sum_r', have: 0, need: 0 },
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
