// Examples of signals: two publications and a closing, as requests, responses and stream messages.
import type { EndpointExamples } from '../common/endpoint.ts';
import type { ClosingSignal, PublishedSignal, SignalDetail, SignalProof } from './detail.ts';
import type { SIGNAL_ENDPOINTS } from './endpoints.ts';
import { HEAD_EXAMPLE, LOG_EXAMPLE } from './log-example.ts';
import {
  EQUITY_CSV_EXAMPLE,
  PUBLISHER_EXAMPLE,
  SIGNALS_CSV_EXAMPLE,
  TRACK_RECORD_EXAMPLE,
} from './publisher-examples.ts';
import type { SignalRequest } from './requests.ts';
import type { ActiveSignal, ChangedSignal, ClosedSignal, FilledSignal } from './schemas.ts';
import type { SignalDraft } from './text.ts';

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

const PUBLISHED_SIGNAL_EXAMPLE: PublishedSignal = { ...ACTIVE_EXAMPLE, order: 'market', state: 'pending' };

export const FILLED_EXAMPLE: FilledSignal = {
  ...ACTIVE_EXAMPLE,
  state: 'open',
  filled_at: '2026-03-02T10:58:41.412Z',
  entry_price: 1.08403,
};

const changed = { id: terms.id, user: terms.user, symbol: terms.symbol };
export const EXITED_EXAMPLE = {
  ...changed,
  change: 'exited',
  target: 1,
  fraction: 0.5,
  price: 1.087,
  timestamp: '2026-03-02T11:09:12.730Z',
} as const satisfies ChangedSignal;
export const AMENDED_EXAMPLE = {
  ...changed,
  change: 'amended',
  stop_loss: 1.0825,
  timestamp: '2026-03-02T11:12:40.115Z',
} as const satisfies ChangedSignal;

const CLOSING_EXAMPLE: ClosingSignal = { ...ACTIVE_EXAMPLE, close_requested_at: '2026-03-02T11:24:06.950Z' };

/** Closed by the publisher; measured from the fill, which was worse than the declared entry. */
export const CLOSED_MANUALLY_EXAMPLE: ClosedSignal = {
  ...terms,
  status: 'closed',
  timestamp,
  pnl: 0.9,
  pnl_percent: 0.0083,
  pnl_r: 0.03,
  entry_price: 1.08403,
  exit_price: 1.08412,
  closed_at: '2026-03-02T11:24:07.402Z',
  close_reason: 'manual',
};

export const DETAIL_EXAMPLE: SignalDetail = {
  ...ACTIVE_EXAMPLE,
  publisher: 'pub_2j6v9q4h',
  order: 'market',
  max_slippage: null,
  state: 'open',
  targets: [{ price: 1.09, fraction: 1 }],
  breakeven_after: null,
  expires_at: '2026-03-06T21:00:00.000Z',
  note: NOTE,
  entry_price: FILLED_EXAMPLE.entry_price,
  filled_at: FILLED_EXAMPLE.filled_at,
  exits: [],
  current_stop_loss: 1.081,
  close_requested_at: null,
  voided_at: null,
  voided_reason: null,
  signed: false,
  published_n: LOG_EXAMPLE.latest.record.n,
  published_hash: LOG_EXAMPLE.latest.hash,
  closed_n: null,
  closed_hash: null,
};

const AMENDED_DETAIL_EXAMPLE: SignalDetail = { ...DETAIL_EXAMPLE, current_stop_loss: AMENDED_EXAMPLE.stop_loss };

const VOIDED_DETAIL_EXAMPLE: SignalDetail = {
  ...DETAIL_EXAMPLE,
  status: 'closed',
  state: 'closed',
  pnl: 0,
  pnl_percent: 0,
  pnl_r: 0,
  entry_price: null,
  exit_price: null,
  closed_at: '2026-03-02T12:05:33.210Z',
  close_reason: 'voided',
  voided_at: '2026-03-02T12:05:33.210Z',
  voided_reason: 'The feed delivered a bad tick at 11:03:12 UTC.',
};

export const PROOF_EXAMPLE: SignalProof = {
  published: LOG_EXAMPLE.published,
  closed: LOG_EXAMPLE.closed,
  seals: [LOG_EXAMPLE.sealed],
  head: HEAD_EXAMPLE,
  note: null,
  records: [LOG_EXAMPLE.published, LOG_EXAMPLE.filled, LOG_EXAMPLE.closed],
};

const TEXT_EXAMPLE = 'Gold sell now SL 3343 TP 3320';
const DRAFT_EXAMPLE: SignalDraft = {
  symbol: 'XAUUSD',
  direction: 'sell',
  order: 'market',
  stop_loss: 3343,
  take_profit: 3320,
  parts: [
    { field: 'symbol', text: 'Gold', start: 0, end: 4 },
    { field: 'direction', text: 'sell', start: 5, end: 9 },
    { field: 'order', text: 'now', start: 10, end: 13 },
    { field: 'stop_loss', text: '3343', start: 17, end: 21 },
    { field: 'take_profit', text: '3320', start: 25, end: 29 },
  ],
  notes: [],
};

const SIGNING_KEY_EXAMPLE = { public_key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', n: 31 };

export const SIGNAL_EXAMPLES: EndpointExamples<typeof SIGNAL_ENDPOINTS> = {
  signals: {
    request: '/api/signals?status=all&limit=2',
    response: { items: [ACTIVE_EXAMPLE, CLOSED_EXAMPLE], count: 2 },
  },
  publishSignal: { request: '/api/signals', body: REQUEST_EXAMPLE, response: PUBLISHED_SIGNAL_EXAMPLE },
  parseSignal: {
    request: '/api/signals/parse',
    body: { text: TEXT_EXAMPLE },
    response: { items: [DRAFT_EXAMPLE], count: 1 },
  },
  signal: { request: '/api/signals/sig_7k2m9q4x', response: DETAIL_EXAMPLE },
  signalProof: { request: '/api/signals/sig_3f8t1w6c/proof', response: PROOF_EXAMPLE },
  closeSignal: {
    request: '/api/signals/sig_7k2m9q4x/close',
    body: { signed: { signed_at: '2026-03-02T11:24:06.811Z', signature: '0f'.repeat(64) } },
    response: CLOSED_MANUALLY_EXAMPLE,
    accepted: CLOSING_EXAMPLE,
  },
  amendSignal: {
    request: '/api/signals/sig_7k2m9q4x/amend',
    body: { stop_loss: AMENDED_EXAMPLE.stop_loss },
    response: AMENDED_DETAIL_EXAMPLE,
  },
  voidSignal: {
    request: '/api/admin/signals/sig_7k2m9q4x/void',
    body: { reason: VOIDED_DETAIL_EXAMPLE.voided_reason },
    response: VOIDED_DETAIL_EXAMPLE,
  },
  signingKey: { request: '/api/account/signing-key', response: SIGNING_KEY_EXAMPLE },
  setSigningKey: {
    request: '/api/account/signing-key',
    body: { public_key: SIGNING_KEY_EXAMPLE.public_key },
    response: SIGNING_KEY_EXAMPLE,
  },
  signalLog: {
    request: '/api/signals/log?after=40&limit=2',
    response: { items: [LOG_EXAMPLE.published, LOG_EXAMPLE.sealed], count: 2, next: LOG_EXAMPLE.sealed.record.n },
  },
  signalHead: { request: '/api/signals/head', response: HEAD_EXAMPLE },
  publishers: {
    request: '/api/publishers?limit=1',
    response: { items: [TRACK_RECORD_EXAMPLE], count: 1, total: 2, next: 1, time_waived: false },
  },
  publisher: { request: '/api/publishers/goldsmith', response: PUBLISHER_EXAMPLE },
  publisherSignals: { request: '/api/publishers/goldsmith/signals.csv', response: SIGNALS_CSV_EXAMPLE },
  publisherEquity: { request: '/api/publishers/goldsmith/equity.csv', response: EQUITY_CSV_EXAMPLE },
  tradingViewHook: { request: '/hooks/tradingview/<TOKEN>', body: ALERT_EXAMPLE, response: PUBLISHED_SIGNAL_EXAMPLE },
};
