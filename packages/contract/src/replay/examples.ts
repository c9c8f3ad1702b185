// Examples of replay sessions.
import type { EndpointExamples } from '../common/endpoint.ts';
import type { REPLAY_ENDPOINTS } from './endpoints.ts';
import type { PracticeRecord, SavedPractice, SavedPracticeInfo } from './practice.ts';
import type { ReplaySession } from './schemas.ts';

const id = 'rpl_7c1f0e6b52a94d38';
const [from, to] = ['2026-03-02T08:00:00.000Z', '2026-03-02T17:00:00.000Z'];

const created: ReplaySession = {
  id,
  state: 'paused',
  symbols: ['EURUSD'],
  from,
  to,
  clock: from,
  speed: 60,
  epoch: '1d0a93c47f52',
  sources: [{ symbol: 'EURUSD', from, to, source: 'ticks' }],
  created_at: '2026-03-03T07:41:12.608Z',
  idle_seconds: 900,
};
const playing: ReplaySession = { ...created, state: 'playing', clock: '2026-03-02T08:30:00.000Z' };

const figures = {
  signals: 1,
  active: 0,
  closed: 1,
  ranked_signals: 1,
  wins: 1,
  losses: 0,
  breakeven: 0,
  unfilled: 0,
  unranked: 0,
  win_rate: 1,
  win_rate_low: 0.2065,
  win_rate_high: 1,
  average_r: 1.5,
  total_r: 1.5,
  expectancy_r: 1.5,
  profit_factor: null,
  max_drawdown_r: 0,
  average_holding_seconds: 840,
  sharpe: null,
  probabilistic_sharpe: null,
  signals_needed: null,
  first_at: '2026-03-02T08:02:00.000Z',
  last_at: '2026-03-02T08:02:00.000Z',
};

const record: PracticeRecord = {
  session: id,
  symbols: ['EURUSD'],
  from,
  to,
  clock: playing.clock,
  decisions: 1,
  e_value: 1,
  open_r: 0,
  worst_open_r: null,
  drawdown_r: 0,
  exposure: [],
  warnings: [],
  figures,
  equity: [],
  equity_now: { at: playing.clock, total_r: 1.5, open: 0 },
  instruments: [],
};

const info: SavedPracticeInfo = {
  id: 'rec_52a94d387c1f0e6b',
  name: 'Breakouts, 2 March',
  saved_at: '2026-03-03T08:15:44.020Z',
};
const saved: SavedPractice = { ...info, record: record };

export const REPLAY_EXAMPLES: EndpointExamples<typeof REPLAY_ENDPOINTS> = {
  replaySessions: { request: '/api/replays', response: { items: [playing], count: 1 } },
  createReplay: { request: '/api/replays', body: { symbols: ['EURUSD'], from, to, speed: 60 }, response: created },
  replaySession: { request: `/api/replays/${id}`, response: playing },
  changeReplay: { request: `/api/replays/${id}`, body: { state: 'playing' }, response: playing },
  deleteReplay: { request: `/api/replays/${id}`, response: playing },
  practiceRecord: { request: `/api/replays/${id}/record`, response: record },
  savePractice: { request: `/api/replays/${id}/save`, body: { name: info.name }, response: info },
  savedPractice: { request: '/api/practice-records', response: { items: [saved], count: 1 } },
  deleteSavedPractice: { request: `/api/practice-records/${info.id}`, response: info },
};
