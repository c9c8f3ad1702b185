// Endpoints for signals, the signal log and publishers.
import { endpoint } from '../common/endpoint.ts';
import { type ErrorCode, JSON_BODY_ERRORS } from '../common/errors.ts';
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

const SIGNATURE_ERRORS = [
  'signature_required',
  'invalid_signature',
  'stale_signature',
] as const satisfies readonly ErrorCode[];

const PUBLISH_ERRORS = [
  ...JSON_BODY_ERRORS,
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
  'store_unavailable',
] as const satisfies readonly ErrorCode[];

export const SIGNAL_ENDPOINTS = {
  signals: endpoint({
    method: 'GET',
    path: '/api/signals',
    tag: 'Signals',
    summary: 'List signals',
    description:
      'Returns the public signal feed, newest first. To page back, set `before` to the `id` of the oldest signal you have.',
    auth: 'key',
    scope: 'read',
    csvOption: true,
    query: SignalQuery,
    response: SignalList,
    errors: ['invalid_parameter', 'store_unavailable'],
  }),
  publishSignal: endpoint({
    method: 'POST',
    path: '/api/signals',
    tag: 'Signals',
    summary: 'Publish a signal',
    description:
      'The signal is checked against the newest quote of its instrument. If `entry` is near the market, the next quote fills ' +
      'it; otherwise it is pending as a limit or stop order, for 24 hours unless `expires_at` is set. From then on ' +
      'the ticks of the market decide the result. A published signal cannot be changed, except that its stop can be ' +
      'tightened. When the response arrives, the publication is in the log. The tier limits the signals that the account may publish per UTC day, over all its keys ' +
      'and sessions, and its active signals of each instrument. Rejected and repeated requests do not count.',
    auth: 'key',
    scope: 'publish',
    body: SignalRequest,
    idempotent: true,
    status: 201,
    response: PublishedSignal,
    errors: [...PUBLISH_ERRORS, ...SIGNATURE_ERRORS],
  }),
  signal: endpoint({
    method: 'GET',
    path: '/api/signals/{id}',
    tag: 'Signals',
    summary: 'Get a signal',
    description:
      'Returns one signal in detail: its order kind, its state, its fill and exits, the stop in force, its deadline and the ' +
      'numbers of its log records.',
    auth: 'key',
    scope: 'read',
    query: SignalDetailQuery,
    response: SignalDetail,
    errors: ['malformed_path', 'invalid_parameter', 'signal_not_found', 'store_unavailable'],
  }),
  signalProof: endpoint({
    method: 'GET',
    path: '/api/signals/{id}/proof',
    tag: 'Signals',
    summary: 'Get the proof of a signal',
    description:
      'Returns the log records of one signal. Each `hash` is the SHA-256 of the canonical JSON (RFC 8785) of its `record`, in ' +
      'hex. The records contain the ticks that decided the result; the seals are the hashes of the tape of those days.',
    auth: 'key',
    scope: 'read',
    response: SignalProof,
    errors: ['malformed_path', 'signal_not_found', 'store_unavailable'],
  }),
  closeSignal: endpoint({
    method: 'POST',
    path: '/api/signals/{id}/close',
    tag: 'Signals',
    summary: 'Close a signal',
    description:
      'Requests to close one of your own signals. The next quote of its instrument executes the request: an open signal ' +
      'closes with the reason `manual`, at the worse of the newest quote and the next one; a pending one is withdrawn with ' +
      'the reason `unfilled`. The response waits up to 5 seconds for that quote. If none comes, it is 202 with the active ' +
      'signal, which the next quote closes. Only accounts with a signing key send a body.',
    auth: 'key',
    scope: 'publish',
    body: CloseSignalRequest,
    bodyOptional: true,
    idempotent: true,
    response: ClosedSignal,
    accepted: ClosingSignal,
    errors: [
      'malformed_path',
      ...JSON_BODY_ERRORS,
      'idempotency_conflict',
      'signal_not_found',
      'not_your_signal',
      'signal_closed',
      'close_requested',
      'market_closed',
      'no_quote',
      'stale_quote',
      'price_unconfirmed',
      ...SIGNATURE_ERRORS,
      'store_unavailable',
    ],
  }),
  amendSignal: endpoint({
    method: 'POST',
    path: '/api/signals/{id}/amend',
    tag: 'Signals',
    summary: 'Tighten the stop of a signal',
    description:
      'Moves the stop of one of your own signals closer to the market: higher for a buy, lower for a sell. It is in force ' +
      'from the next quote on. Nothing else of a signal can be changed. `stop_loss` of the signal stays as published; ' +
      '`current_stop_loss` is the stop in force.',
    auth: 'key',
    scope: 'publish',
    body: AmendRequest,
    idempotent: true,
    response: SignalDetail,
    errors: [
      'malformed_path',
      ...JSON_BODY_ERRORS,
      'idempotency_conflict',
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
      'store_unavailable',
    ],
  }),
  voidSignal: endpoint({
    method: 'POST',
    path: '/api/admin/signals/{id}/void',
    tag: 'Operator',
    summary: 'Void a signal',
    description:
      'Voids a signal, for example after a bad tick: it counts as if it had not been published. The reason is public, and ' +
      'the records of the signal stay in the log. This cannot be undone.',
    auth: 'key',
    scope: 'admin',
    body: VoidRequest,
    response: SignalDetail,
    errors: ['malformed_path', ...JSON_BODY_ERRORS, 'signal_not_found', 'signal_voided', 'store_unavailable'],
  }),
  signingKey: endpoint({
    method: 'GET',
    path: '/api/account/signing-key',
    tag: 'Account',
    summary: 'Get the signing key',
    description: 'Returns the public key with which the account signs its requests about signals.',
    auth: 'session',
    scope: null,
    response: SigningKey,
    errors: ['store_unavailable'],
  }),
  setSigningKey: endpoint({
    method: 'POST',
    path: '/api/account/signing-key',
    tag: 'Account',
    summary: 'Register or remove a signing key',
    description:
      'Registers the Ed25519 public key of the account, replaces it, or removes it. From then on, signals, amendments and ' +
      'requests to close of the account must be signed with it. The change is a record of the signal log.',
    auth: 'session',
    scope: null,
    body: SigningKeyRequest,
    response: SigningKey,
    errors: [...JSON_BODY_ERRORS, 'store_unavailable'],
  }),
  signalLog: endpoint({
    method: 'GET',
    path: '/api/signals/log',
    tag: 'Signals',
    summary: 'Read the signal log',
    description:
      'Returns the append-only log of everything that happened to signals, starting with the first record. Record numbers increase by ' +
      'one. `prev` is the hash of the previous record, and 64 zeros in the first one. Recompute the hashes in order to detect ' +
      'changed or missing records; compare with a head you saved earlier to detect a rewritten log.',
    auth: 'key',
    scope: 'read',
    query: LogQuery,
    response: LogPage,
    errors: ['invalid_parameter', 'store_unavailable'],
  }),
  signalHead: endpoint({
    method: 'GET',
    path: '/api/signals/head',
    tag: 'Signals',
    summary: 'Get the head of the signal log',
    description:
      'Returns the number and hash of the last record, signed. Save it to prove later that the log up to there was not rewritten.',
    auth: 'key',
    scope: 'read',
    response: LogHead,
    errors: ['store_unavailable'],
  }),
  publishers: endpoint({
    method: 'GET',
    path: '/api/publishers',
    tag: 'Publishers',
    summary: 'List publishers',
    description:
      'Returns publishers with their track records. Ranked publishers come first, ordered by `rank`, followed by the others, ' +
      'ordered by their evidence. `symbol` and `period` select the signals of the figures from `signals` on; all other ' +
      'fields always cover the whole record.',
    auth: 'key',
    scope: 'read',
    query: PublishersQuery,
    response: PublisherList,
    errors: ['invalid_parameter', 'store_unavailable'],
  }),
  publisher: endpoint({
    method: 'GET',
    path: '/api/publishers/{name}',
    tag: 'Publishers',
    summary: 'Get a publisher',
    description:
      'Returns the track record of one publisher, with its equity curve and its results by month and by instrument.',
    auth: 'key',
    scope: 'read',
    query: PublisherQuery,
    response: PublisherDetail,
    errors: ['malformed_path', 'invalid_parameter', 'publisher_not_found', 'store_unavailable'],
  }),
  publisherSignals: endpoint({
    method: 'GET',
    path: '/api/publishers/{name}/signals.csv',
    tag: 'Publishers',
    summary: 'Download the signals of a publisher',
    description: 'Returns all signals of one publisher as CSV (RFC 4180), newest first.',
    auth: 'key',
    scope: 'read',
    csv: true,
    response: SignalsCsv,
    errors: ['malformed_path', 'publisher_not_found', 'store_unavailable'],
  }),
  publisherEquity: endpoint({
    method: 'GET',
    path: '/api/publishers/{name}/equity.csv',
    tag: 'Publishers',
    summary: 'Download the equity curve of a publisher',
    description: 'Returns the complete equity curve of one publisher as CSV (RFC 4180), in order of closing.',
    auth: 'key',
    scope: 'read',
    csv: true,
    response: EquityCsv,
    errors: ['malformed_path', 'publisher_not_found', 'store_unavailable'],
  }),
  tradingViewHook: endpoint({
    method: 'POST',
    path: '/hooks/tradingview/{token}',
    tag: 'Signals',
    summary: 'Publish a signal from a TradingView alert',
    description:
      'The token in the path replaces the API key, because a webhook cannot send headers. Keep this address as secret as a ' +
      'key. Otherwise the endpoint works like `POST /api/signals`; `id` in the body has the function of `Idempotency-Key`.',
    auth: 'hook',
    scope: null,
    body: TradingViewAlert,
    status: 201,
    response: PublishedSignal,
    errors: [
      'malformed_path',
      'invalid_key',
      'too_many_failures',
      'missing_scope',
      'rate_limited',
      ...PUBLISH_ERRORS,
      'signature_required',
    ],
  }),
} as const;
