// Examples of signals: two publications, a closing and a seal of the tape. The hashes and the signature are real, so that
// they can be used to test a verifier.
import type { EndpointExamples } from '../common/endpoint.ts';
import type { SignalDetail, SignalProof } from './detail.ts';
import type { SIGNAL_ENDPOINTS } from './endpoints.ts';
import type { LogEntry, LogHead } from './log.ts';
import {
  EQUITY_CSV_EXAMPLE,
  PUBLISHER_EXAMPLE,
  SIGNALS_CSV_EXAMPLE,
  TRACK_RECORD_EXAMPLES,
} from './publisher-examples.ts';
import type { SignalRequest } from './requests.ts';
import type { ActiveSignal, ClosedSignal } from './schemas.ts';

/** As sent on `/ws/signals`. */
export const PUBLISHED_EXAMPLE = {
  id: 'sig_7k2m9q4x',
  user: 'north-desk',
  symbol: 'EURUSD',
  direction: 'buy' as const,
  entry: 1.084,
  stop_loss: 1.081,
  take_profit: 1.09,
  timestamp: '2026-03-02T10:58:41.007Z',
};

const { timestamp, ...terms } = PUBLISHED_EXAMPLE;

export const ACTIVE_EXAMPLE: ActiveSignal = { ...terms, status: 'active', timestamp };

const NOTE = 'Back above the morning range; out before the weekend.';

export const REQUEST_EXAMPLE: SignalRequest = {
  symbol: 'EURUSD',
  direction: 'buy',
  entry: 1.084,
  stop_loss: 1.081,
  take_profit: 1.09,
  expires_at: '2026-03-06T21:00:00Z',
  note: NOTE,
};

export const ALERT_EXAMPLE = {
  id: '2026-03-02T10:58:00Z breakout',
  symbol: 'OANDA:EURUSD',
  direction: 'long',
  entry: '1.084',
  stop_loss: '1.081',
  take_profit: '1.09',
  expires_at: '2026-03-06T21:00:00Z',
  note: NOTE,
};

export const CLOSED_EXAMPLE: ClosedSignal = {
  id: 'sig_3f8t1w6c',
  user: 'goldsmith',
  symbol: 'XAUUSD',
  direction: 'sell',
  entry: 2415.2,
  stop_loss: 2421.2,
  take_profit: 2403.2,
  status: 'closed',
  timestamp: '2026-03-01T23:12:19.540Z',
  pnl: 120,
  pnl_percent: 0.4969,
  pnl_r: 2,
  entry_price: 2415.2,
  exit_price: 2403.2,
  closed_at: '2026-03-02T08:31:55.263Z',
  close_reason: 'take_profit',
};

/** Closed at the bid by the publisher; measured from the fill, which was worse than the declared entry. */
export const CLOSED_MANUALLY_EXAMPLE: ClosedSignal = {
  ...terms,
  status: 'closed',
  timestamp,
  pnl: 0.9,
  pnl_percent: 0.0083,
  pnl_r: 0.0297,
  entry_price: 1.08403,
  exit_price: 1.08412,
  closed_at: '2026-03-02T11:24:07.402Z',
  close_reason: 'manual',
};

/** Consecutive records of a log. */
export const LOG_EXAMPLE = {
  published: {
    hash: '15969564526d83c6aeb17710851096ab8f1fa36716687949d68cbaedbb5fbfeb',
    record: {
      n: 41,
      prev: 'abf4fed9093ff28acaab8981590a75c32ed74e48588982541454b7c8af2170f4',
      type: 'published',
      rules: 1,
      at: '2026-03-01T23:12:19.540Z',
      signal: 'sig_3f8t1w6c',
      publisher: 'pub_8w2k5n1d',
      symbol: 'XAUUSD',
      direction: 'sell',
      entry: 2415.2,
      stop_loss: 2421.2,
      take_profit: 2403.2,
      order: 'market',
      entry_deadline: '2026-03-02T23:12:19.540Z',
      deadline: '2026-03-31T23:12:19.540Z',
      entry_price: 2415.2,
      instrument: { digits: 3, pip_size: 0.1 },
      quote: {
        kind: 'quote',
        seq: 18204,
        time: '2026-03-01T23:12:19.107Z',
        bid: 2415.2,
        ask: 2415.46,
        source: 'oanda',
      },
    },
  },
  sealed: {
    hash: '1a0e3d517f91cfab76cc2f7dc9cf41b46d1852639d01654920de9cca3ae9f827',
    record: {
      n: 42,
      prev: '15969564526d83c6aeb17710851096ab8f1fa36716687949d68cbaedbb5fbfeb',
      type: 'tape',
      rules: 1,
      at: '2026-03-02T00:01:00.020Z',
      day: '2026-03-01',
      symbol: 'XAUUSD',
      ticks: 6127,
      sha256: '09fc9a5f903f25fbe3383763378d60e5c6ad9456e277b05cc6e1cc87f0f91248',
    },
  },
  closed: {
    hash: '015c9fc2074c2e43b79490deca48549c0d1faa7c0c35536b791c7169d0624466',
    record: {
      n: 43,
      prev: '1a0e3d517f91cfab76cc2f7dc9cf41b46d1852639d01654920de9cca3ae9f827',
      type: 'closed',
      rules: 1,
      at: '2026-03-02T08:31:55.301Z',
      signal: 'sig_3f8t1w6c',
      publisher: 'pub_8w2k5n1d',
      symbol: 'XAUUSD',
      instrument: { digits: 3, pip_size: 0.1 },
      reason: 'take_profit',
      entry_price: 2415.2,
      exit_price: 2403.2,
      closed_at: '2026-03-02T08:31:55.263Z',
      pnl: 120,
      pnl_percent: 0.4969,
      pnl_r: 2,
      filled: null,
      decided: {
        kind: 'quote',
        seq: 402911,
        time: '2026-03-02T08:31:55.263Z',
        bid: 2402.92,
        ask: 2403.18,
        source: 'oanda',
      },
      decided_seq: 402911,
    },
  },
  latest: {
    hash: 'cb21042030e7cfa2717c5c7b553719dd6e139cd5d6d5ce1bdf6da30a9067ebfa',
    record: {
      n: 44,
      prev: '015c9fc2074c2e43b79490deca48549c0d1faa7c0c35536b791c7169d0624466',
      type: 'published',
      rules: 1,
      at: '2026-03-02T10:58:41.007Z',
      signal: 'sig_7k2m9q4x',
      publisher: 'pub_2j6v9q4h',
      symbol: 'EURUSD',
      direction: 'buy',
      entry: 1.084,
      stop_loss: 1.081,
      take_profit: 1.09,
      order: 'market',
      entry_deadline: '2026-03-06T21:00:00.000Z',
      deadline: '2026-03-06T21:00:00.000Z',
      entry_price: 1.08403,
      note_sha256: '4a569e6b70a22edd11cb7c79f989a8c003ff75fc853d2141fba52441e3faa173',
      instrument: { digits: 5, pip_size: 0.0001 },
      quote: {
        kind: 'quote',
        seq: 511730,
        time: '2026-03-02T10:58:40.862Z',
        bid: 1.08391,
        ask: 1.08403,
        source: 'oanda',
      },
    },
  },
} as const satisfies Record<string, LogEntry>;

export const HEAD_EXAMPLE: LogHead = {
  log: 'log_5t9c3x7m',
  n: 44,
  hash: 'cb21042030e7cfa2717c5c7b553719dd6e139cd5d6d5ce1bdf6da30a9067ebfa',
  at: '2026-03-02T11:24:07.402Z',
  public_key: 'b0bc0f1bf749563bd5045cf18471d5c5f3c0dbd1becbc0237532e7f5192f7179',
  signature:
    '27385c0bb71ce810efbf1f50f78415328e87f9d1db555a0b3326baafbc4942f5c4ee95d687a231e5a07819c18667ac1af5a36c36cd1e67b41f4c28c839953103',
};

export const DETAIL_EXAMPLE: SignalDetail = {
  ...ACTIVE_EXAMPLE,
  publisher: 'pub_2j6v9q4h',
  order: 'market',
  expires_at: '2026-03-06T21:00:00.000Z',
  note: NOTE,
  entry_price: 1.08403,
  filled_at: '2026-03-02T10:58:41.007Z',
  published_n: 44,
  published_hash: LOG_EXAMPLE.latest.hash,
  closed_n: null,
  closed_hash: null,
};

export const PROOF_EXAMPLE: SignalProof = {
  published: LOG_EXAMPLE.published,
  closed: LOG_EXAMPLE.closed,
  seals: [LOG_EXAMPLE.sealed],
  head: HEAD_EXAMPLE,
  note: null,
};

export const SIGNAL_EXAMPLES: EndpointExamples<typeof SIGNAL_ENDPOINTS> = {
  signals: {
    request: '/api/signals?status=all&limit=2',
    response: { items: [ACTIVE_EXAMPLE, CLOSED_EXAMPLE], count: 2 },
  },
  publishSignal: { request: '/api/signals', body: REQUEST_EXAMPLE, response: ACTIVE_EXAMPLE },
  signal: { request: '/api/signals/sig_7k2m9q4x', response: DETAIL_EXAMPLE },
  signalProof: { request: '/api/signals/sig_3f8t1w6c/proof', response: PROOF_EXAMPLE },
  closeSignal: { request: '/api/signals/sig_7k2m9q4x/close', response: CLOSED_MANUALLY_EXAMPLE },
  signalLog: {
    request: '/api/signals/log?after=40&limit=2',
    response: { items: [LOG_EXAMPLE.published, LOG_EXAMPLE.sealed], count: 2, next: LOG_EXAMPLE.sealed.record.n },
  },
  signalHead: { request: '/api/signals/head', response: HEAD_EXAMPLE },
  publishers: {
    request: '/api/publishers?limit=1',
    response: { items: TRACK_RECORD_EXAMPLES.slice(0, 1), count: 1, total: 2, next: 1, time_waived: false },
  },
  publisher: { request: '/api/publishers/goldsmith', response: PUBLISHER_EXAMPLE },
  publisherSignals: { request: '/api/publishers/goldsmith/signals.csv', response: SIGNALS_CSV_EXAMPLE },
  publisherEquity: { request: '/api/publishers/goldsmith/equity.csv', response: EQUITY_CSV_EXAMPLE },
  tradingViewHook: { request: '/hooks/tradingview/<TOKEN>', body: ALERT_EXAMPLE, response: ACTIVE_EXAMPLE },
};
