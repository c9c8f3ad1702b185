// Endpoints for signals, the signal log and publishers.
import { ADMIN, endpoint, READ, SESSION } from '../common/endpoint.ts';
import { ClosingSignal, PublishedSignal, SignalDetail, SignalList, SignalProof, SigningKey } from './detail.ts';
import { LogHead, LogPage, LogQuery } from './log.ts';
import {
  EquityCsv,
  PublisherDetail,
  PublisherList,
  PublisherQuery,
  PublishersQuery,
  SignalsCsv,
} from './publishers.ts';
import {
  AmendRequest,
  CloseSignalRequest,
  SignalRequest,
  SigningKeyRequest,
  TradingViewAlert,
  VoidRequest,
} from './requests.ts';
import { ClosedSignal, SignalDetailQuery, SignalQuery } from './schemas.ts';
import { SignalDraftList, SignalText } from './text.ts';

const SIGNATURE_ERRORS = ['signature_required', 'invalid_signature', 'stale_signature'] as const;

const PUBLISH_ERRORS = [
  'symbol_not_found',
  'no_quote',
  'stale_quote',
  'price_unconfirmed',
  'market_closed',
  'finer_than_digits',
  'levels_out_of_order',
  'invalid_targets',
  'entry_too_far',
  'distance_out_of_range',
  'level_reached',
  'expiry_out_of_range',
  'too_many_signals',
  'too_many_signals_of_symbol',
  'signals_exhausted',
  'idempotency_conflict',
] as const;

const SIGNALS = { ...READ, tag: 'Signals' } as const;
const PUBLISH = { auth: 'key', scope: 'publish', method: 'POST', tag: 'Signals' } as const;
const PUBLISHERS = { ...READ, tag: 'Publishers' } as const;

export const SIGNAL_ENDPOINTS = {
  signals: endpoint({
    ...SIGNALS,
    path: '/api/signals',
    replay: true,
    ignoresUnknown: true,
    summary: 'List signals',
    description:
      'Returns the public signal feed, newest first. To page back, set `before` to the `id` of the oldest signal you have.',
    csvOption: true,
    query: SignalQuery,
    response: SignalList,
    errors: ['symbol_not_found'],
  }),
  publishSignal: endpoint({
    ...PUBLISH,
    path: '/api/signals',
    replay: true,
    summary: 'Publish a signal',
    description:
      'The signal is checked against the newest quote. A market order, or an `entry` near the market, is filled by the next quote; any other is pending as a limit or stop order. Only the stop can be tightened later. When the response arrives, the publication is in the log. Instead of fields, a `text` with one signal can be sent. The tier limits the signals per UTC day and the active signals per instrument.',
    body: SignalRequest,
    otherBody: SignalText,
    idempotent: true,
    status: 201,
    response: PublishedSignal,
    errors: [...PUBLISH_ERRORS, ...SIGNATURE_ERRORS, 'unclear_signal'],
  }),
  parseSignal: endpoint({
    ...PUBLISH,
    path: '/api/signals/parse',
    summary: 'Read signals from a message',
    description:
      'Returns the signals of a message as drafts that can be published. Nothing is guessed: an unclear message is refused with the reason. Publishes nothing.',
    body: SignalText,
    response: SignalDraftList,
    errors: ['unclear_signal', 'no_quote'],
  }),
  signal: endpoint({
    ...SIGNALS,
    path: '/api/signals/{id}',
    replay: true,
    summary: 'Get a signal',
    description: 'Returns one signal in detail.',
    query: SignalDetailQuery,
    response: SignalDetail,
    errors: ['signal_not_found'],
  }),
  signalProof: endpoint({
    ...SIGNALS,
    path: '/api/signals/{id}/proof',
    summary: 'Get the proof of a signal',
    description: 'Returns the log records of one signal.',
    response: SignalProof,
    errors: ['signal_not_found'],
  }),
  closeSignal: endpoint({
    ...PUBLISH,
    path: '/api/signals/{id}/close',
    replay: true,
    summary: 'Close a signal',
    description:
      'Requests to close one of your signals. The next quote closes an open one with the reason `manual`, and withdraws a pending one with the reason `unfilled`. The response waits up to 5 seconds for that quote; if none comes, it is 202 with the active signal. Only accounts with a signing key send a body.',
    body: CloseSignalRequest,
    bodyOptional: true,
    idempotent: true,
    response: ClosedSignal,
    accepted: ClosingSignal,
    errors: [
      'signal_not_found',
      'not_your_signal',
      'signal_closed',
      'close_requested',
      'market_closed',
      'no_quote',
      'stale_quote',
      'price_unconfirmed',
      ...SIGNATURE_ERRORS,
    ],
  }),
  amendSignal: endpoint({
    ...PUBLISH,
    path: '/api/signals/{id}/amend',
    replay: true,
    summary: 'Tighten the stop of a signal',
    description:
      'Moves the stop of one of your signals closer to the market, in force from the next quote on. `stop_loss` stays as published; `current_stop_loss` is the stop in force.',
    body: AmendRequest,
    idempotent: true,
    response: SignalDetail,
    errors: [
      'signal_not_found',
      'not_your_signal',
      'signal_closed',
      'market_closed',
      'no_quote',
      'stale_quote',
      'price_unconfirmed',
      'finer_than_digits',
      'entry_too_far',
      'levels_out_of_order',
      'stop_not_tighter',
      'distance_out_of_range',
      'level_reached',
      'too_many_amendments',
      ...SIGNATURE_ERRORS,
    ],
  }),
  voidSignal: endpoint({
    ...ADMIN,
    method: 'POST',
    path: '/api/admin/signals/{id}/void',
    tag: 'Operator',
    summary: 'Void a signal',
    description:
      'Voids a signal, for example after a bad tick: it no longer counts. The reason is public, and its records stay in the log.',
    body: VoidRequest,
    response: SignalDetail,
    errors: ['signal_not_found', 'signal_voided'],
  }),
  signingKey: endpoint({
    ...SESSION,
    method: 'GET',
    path: '/api/account/signing-key',
    tag: 'Account',
    summary: 'Get the signing key',
    description: 'Returns the public key with which the account signs its requests about signals.',
    response: SigningKey,
  }),
  setSigningKey: endpoint({
    ...SESSION,
    method: 'POST',
    path: '/api/account/signing-key',
    tag: 'Account',
    summary: 'Register or remove a signing key',
    description:
      'Registers, replaces or removes the Ed25519 key with which signals, amendments and requests to close must then be signed.',
    body: SigningKeyRequest,
    response: SigningKey,
    errors: ['confirmation_required'],
  }),
  signalLog: endpoint({
    ...SIGNALS,
    path: '/api/signals/log',
    summary: 'Read the signal log',
    description: 'Returns the append-only log of signals. Compare it with a kept head to detect a rewritten log.',
    query: LogQuery,
    response: LogPage,
  }),
  signalHead: endpoint({
    ...SIGNALS,
    path: '/api/signals/head',
    summary: 'Get the head of the signal log',
    description:
      'Returns number and hash of the last record, signed. Keep it to prove later that the log was not rewritten.',
    response: LogHead,
  }),
  publishers: endpoint({
    ...PUBLISHERS,
    path: '/api/publishers',
    summary: 'List publishers',
    description:
      'Returns publishers with their track records, ranked ones first. `symbol` and `period` select the signals of the figures from `signals` on.',
    query: PublishersQuery,
    response: PublisherList,
  }),
  publisher: endpoint({
    ...PUBLISHERS,
    path: '/api/publishers/{name}',
    summary: 'Get a publisher',
    description: 'Returns the track record of one publisher.',
    query: PublisherQuery,
    response: PublisherDetail,
    errors: ['publisher_not_found'],
  }),
  publisherSignals: endpoint({
    ...PUBLISHERS,
    path: '/api/publishers/{name}/signals.csv',
    summary: 'Download the signals of a publisher',
    description: 'Returns all signals of one publisher as CSV (RFC 4180), newest first.',
    csv: true,
    response: SignalsCsv,
    errors: ['publisher_not_found'],
  }),
  publisherEquity: endpoint({
    ...PUBLISHERS,
    path: '/api/publishers/{name}/equity.csv',
    summary: 'Download the equity curve of a publisher',
    description: 'Returns the complete equity curve of one publisher as CSV (RFC 4180), in order of closing.',
    csv: true,
    response: EquityCsv,
    errors: ['publisher_not_found'],
  }),
  tradingViewHook: endpoint({
    method: 'POST',
    path: '/hooks/tradingview/{token}',
    tag: 'Signals',
    summary: 'Publish a signal from a TradingView alert',
    description:
      'Works like `POST /api/signals`. The token in the path replaces the API key, so keep the address secret; `id` in the body replaces `Idempotency-Key`.',
    auth: 'hook',
    scope: null,
    body: TradingViewAlert,
    status: 201,
    response: PublishedSignal,
    errors: [
      'invalid_key',
      'too_many_failures',
      'missing_scope',
      'rate_limited',
      ...PUBLISH_ERRORS,
      'signature_required',
    ],
  }),
} as const;
