// The endpoints of signals and of those who publish them.
import { endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { PublisherDetail, PublisherList, PublishersQuery } from './publisher.ts';
import { ActiveSignal, ClosedSignal, SignalList, SignalQuery } from './signal.ts';
import { LogPage, LogQuery, SignalDetail, SignalProof } from './signal-detail.ts';
import { LogHead } from './signal-record.ts';
import { SignalRequest, TradingViewAlert } from './signal-request.ts';

const PUBLISH_ERRORS = [
  'malformed_body',
  'payload_too_large',
  'unsupported_encoding',
  'invalid_parameter',
  'symbol_not_found',
  'no_quote',
  'stale_quote',
  'market_closed',
  'finer_than_digits',
  'levels_out_of_order',
  'entry_too_far',
  'distance_out_of_range',
  'level_reached',
  'expiry_out_of_range',
  'too_many_signals',
  'idempotency_conflict',
  'store_unavailable',
] as const satisfies readonly ErrorCode[];

export const SIGNAL_ENDPOINTS = {
  signals: endpoint({
    method: 'GET',
    path: '/api/signals',
    tag: 'Signals',
    summary: 'The public signal feed, newest first',
    description: 'Page back with `before` set to the `id` of the oldest signal you have.',
    scope: 'read',
    query: SignalQuery,
    response: SignalList,
    errors: ['invalid_parameter', 'store_unavailable'],
  }),
  publishSignal: endpoint({
    method: 'POST',
    path: '/api/signals',
    tag: 'Signals',
    summary: 'Publishes a signal, which is never changed afterwards',
    description:
      'It is accepted against the newest quote of its instrument. An `entry` near the market is filled at once; one further away ' +
      'waits as a limit or a stop, for 24 hours unless `expires_at` says otherwise. From then on the ticks decide. ' +
      'With the answer the publication stands in the log.',
    scope: 'publish',
    body: SignalRequest,
    idempotent: true,
    status: 201,
    response: ActiveSignal,
    errors: PUBLISH_ERRORS,
  }),
  signal: endpoint({
    method: 'GET',
    path: '/api/signals/{id}',
    tag: 'Signals',
    summary: 'One signal with its order, its deadline and its places in the log',
    scope: 'read',
    response: SignalDetail,
    errors: ['malformed_path', 'signal_not_found', 'store_unavailable'],
  }),
  signalProof: endpoint({
    method: 'GET',
    path: '/api/signals/{id}/proof',
    tag: 'Signals',
    summary: 'The records of the log that prove one signal',
    description:
      'A `hash` is the SHA-256 of the canonical JSON (RFC 8785) of its `record`, in hex. The ticks that decided stand in the records; ' +
      'the seals are the hashes of the days of tape that they came from.',
    scope: 'read',
    response: SignalProof,
    errors: ['malformed_path', 'signal_not_found', 'store_unavailable'],
  }),
  closeSignal: endpoint({
    method: 'POST',
    path: '/api/signals/{id}/close',
    tag: 'Signals',
    summary: 'Closes a signal of your own at the market',
    description:
      'A filled signal closes at the exit side of the newest quote, as `manual`: the bid for a buy, the ask for a sell. ' +
      'One whose entry is still pending is withdrawn, as `unfilled`. It takes no body.',
    scope: 'publish',
    idempotent: true,
    response: ClosedSignal,
    errors: [
      'malformed_path',
      'invalid_parameter',
      'idempotency_conflict',
      'signal_not_found',
      'not_your_signal',
      'signal_closed',
      'market_closed',
      'no_quote',
      'stale_quote',
      'store_unavailable',
    ],
  }),
  signalLog: endpoint({
    method: 'GET',
    path: '/api/signals/log',
    tag: 'Signals',
    summary: 'The append-only log of publications and closings, from the first record on',
    description:
      'Numbers rise by one, and each record holds the hash of the one before in `prev`, the first one 64 zeros. Who recomputes the ' +
      'hashes in order sees whether a record was changed or left out; a head kept from earlier shows whether all of it was rewritten.',
    scope: 'read',
    query: LogQuery,
    response: LogPage,
    errors: ['invalid_parameter', 'store_unavailable'],
  }),
  signalHead: endpoint({
    method: 'GET',
    path: '/api/signals/head',
    tag: 'Signals',
    summary: 'The number and hash of the last record of the log, signed',
    description: 'Keep one, and you can show later that the log before it was not rewritten.',
    scope: 'read',
    response: LogHead,
    errors: ['store_unavailable'],
  }),
  publishers: endpoint({
    method: 'GET',
    path: '/api/publishers',
    tag: 'Publishers',
    summary: 'Publishers with their track records, the best first',
    description: 'Ranked ones come first, in the order of `rank`; then those with too few signals to rank.',
    scope: 'read',
    query: PublishersQuery,
    response: PublisherList,
    errors: ['invalid_parameter', 'store_unavailable'],
  }),
  publisher: endpoint({
    method: 'GET',
    path: '/api/publishers/{name}',
    tag: 'Publishers',
    summary: 'The track record of one publisher, with its course and by instrument',
    scope: 'read',
    response: PublisherDetail,
    errors: ['malformed_path', 'publisher_not_found', 'store_unavailable'],
  }),
  tradingViewHook: endpoint({
    method: 'POST',
    path: '/hooks/tradingview/{token}',
    tag: 'Signals',
    summary: 'Publishes a signal from an alert of TradingView',
    description:
      'The token in the path stands in for a key: a webhook sends no headers of its own. Keep the address as secret as a key. ' +
      'Everything else is as with `POST /api/signals`; `id` in the body does what an `Idempotency-Key` does there.',
    scope: null,
    body: TradingViewAlert,
    status: 201,
    response: ActiveSignal,
    errors: ['malformed_path', 'invalid_key', 'too_many_failures', 'missing_scope', 'rate_limited', ...PUBLISH_ERRORS],
  }),
} as const;
