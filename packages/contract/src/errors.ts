// The one catalogue of errors. A code means the same over REST and WebSocket; its documentation is generated from here.
import { z } from 'zod';
import { ACCOUNT_ERRORS } from './account-errors.ts';
import { AI_ERRORS } from './ai-errors.ts';
import { type CatalogueEntry, entry } from './catalogue-entry.ts';
import { SIGNAL_ERRORS } from './signal-errors.ts';

export const ERRORS = {
  missing_key: entry({
    title: 'API key missing',
    status: 401,
    close: 4408,
    retryable: false,
    when: 'The request carries no X-API-Key header and no cookie of a session, or a WebSocket connection showed no valid key in time (10 seconds, unless the service is set up otherwise).',
  }),
  invalid_key: entry({
    title: 'API key invalid',
    status: 401,
    close: 4401,
    retryable: false,
    when: 'The key is unknown, malformed, expired or revoked. Open streams of a revoked key are closed.',
  }),
  missing_scope: entry({
    title: 'Scope missing',
    status: 403,
    close: 4401,
    retryable: false,
    when: 'The key is valid but does not carry the scope that the endpoint asks for.',
  }),
  ingest_disabled: entry({
    title: 'Ingest disabled',
    status: 403,
    close: 4401,
    retryable: false,
    when: 'The service takes no pushed ticks: its feeds do not include push.',
  }),
  rate_limited: entry({
    title: 'Rate limit exceeded',
    status: 429,
    retryable: true,
    when: "The account's requests in the last 60 seconds have reached the tier's allowance. Retry-After says when one is free.",
  }),
  too_many_failures: entry({
    title: 'Too many failed authentications',
    status: 429,
    close: 4401,
    retryable: true,
    when: 'This address has sent too many bad keys in the last minute. A valid key still works from it.',
  }),
  too_many_connections: entry({
    title: 'Too many connections',
    status: 429,
    retryable: true,
    when: 'A WebSocket handshake came from an address (IPv6: a /64 network) that has as many open connections as one may have.',
  }),
  invalid_parameter: entry({
    title: 'Invalid parameter',
    status: 400,
    retryable: false,
    when: 'A query parameter, a header or a field of the body is outside what it allows; `errors` names each with the value and what is allowed.',
  }),
  malformed_path: entry({
    title: 'Malformed path',
    status: 400,
    retryable: false,
    when: 'The path holds a percent-encoding that cannot be decoded.',
  }),
  malformed_body: entry({
    title: 'Malformed body',
    status: 400,
    retryable: false,
    when: 'The body is not JSON, not UTF-8, or not what its Content-Encoding says. Nothing of it was taken in. (Lines are refused one by one.)',
  }),
  symbol_not_found: entry({
    title: 'Symbol not found',
    status: 404,
    retryable: false,
    when: 'The instrument is not in the catalogue. In a subscribe message the symbol stands in `rejected` with this code.',
  }),
  not_found: entry({
    title: 'Not found',
    status: 404,
    retryable: false,
    when: 'There is nothing at this path.',
  }),
  ...SIGNAL_ERRORS,
  ...AI_ERRORS,
  ...ACCOUNT_ERRORS,
  method_not_allowed: entry({
    title: 'Method not allowed',
    status: 405,
    retryable: false,
    when: 'The path exists, the method does not; `Allow` lists those that do.',
  }),
  idempotency_conflict: entry({
    title: 'Idempotency key used before',
    status: 409,
    retryable: false,
    when: 'The Idempotency-Key came with another body within the last 24 hours. Nothing was taken in.',
  }),
  payload_too_large: entry({
    title: 'Payload too large',
    status: 413,
    retryable: false,
    when: 'The body is over the limit of its endpoint: 16 MiB of lines, or 64 MiB of them unpacked; 64 KiB of anything else. Nothing was taken in.',
  }),
  uri_too_long: entry({
    title: 'URI too long',
    status: 414,
    retryable: false,
    when: 'Path and query together are longer than 8 KiB. (Past 16 KiB the connection is answered 431 without a body.)',
  }),
  unsupported_encoding: entry({
    title: 'Unsupported encoding',
    status: 415,
    retryable: false,
    when: 'The Content-Encoding of a body is neither gzip nor identity.',
  }),
  upgrade_required: entry({
    title: 'Upgrade required',
    status: 426,
    retryable: false,
    when: 'A WebSocket endpoint was called without a WebSocket handshake.',
  }),
  internal: entry({
    title: 'Internal server error',
    status: 500,
    close: 1011,
    retryable: true,
    when: 'A fault of the service. The request id finds it in the log; nothing of the inside is shown.',
  }),
  service_full: entry({
    title: 'Service full',
    status: 503,
    retryable: true,
    when: 'A WebSocket handshake found as many open connections as the service takes. Retry-After says when to try again.',
  }),
  no_quote: entry({
    title: 'No quote yet',
    status: 503,
    retryable: true,
    when: 'The instrument is known but has had no quote since its feed started.',
  }),
  no_active_ingest: entry({
    title: 'No active ingest',
    status: 503,
    retryable: true,
    when: 'In a cluster, while another ingest takes over: what only the active one can do, as publishing a signal, waits. Retry-After says when to try again.',
  }),
  store_unavailable: entry({
    title: 'Store unavailable',
    status: 503,
    retryable: true,
    when: 'The request needs the store, as older history does, and the store does not answer.',
  }),
  shutting_down: entry({
    title: 'Service is stopping',
    status: 503,
    close: 1012,
    retryable: true,
    when: 'The service is stopping or restarting. Reconnect after a moment.',
  }),
  malformed_json: entry({
    title: 'Malformed JSON',
    retryable: false,
    when: 'A WebSocket message is not JSON.',
  }),
  invalid_message: entry({
    title: 'Invalid message',
    retryable: false,
    when: 'A WebSocket message lacks a field or has one of the wrong type.',
  }),
  unknown_action: entry({
    title: 'Unknown action',
    retryable: false,
    when: 'The `action` of a WebSocket message is not one of subscribe, unsubscribe, list, ping.',
  }),
  bad_messages: entry({
    title: 'Too many bad messages',
    close: 4400,
    retryable: false,
    when: 'The tenth bad message on a connection, or a binary frame.',
  }),
  too_slow: entry({
    title: 'Reader too slow',
    close: 4409,
    retryable: true,
    when: 'The reader fell behind, was warned and moved to the latest values, and still did not drain.',
  }),
  message_too_large: entry({
    title: 'Message too large',
    close: 4413,
    retryable: false,
    when: 'A WebSocket message is over 64 KiB. (A single one over 1 MiB is cut by the protocol layer with 1009.)',
  }),
  stream_limit: entry({
    title: 'Stream limit reached',
    close: 4429,
    retryable: true,
    when: 'The account has as many open streams as its tier allows. The others live on.',
  }),
  too_many_messages: entry({
    title: 'Too many messages',
    close: 4429,
    retryable: true,
    when: 'The connection sent more messages, pings and pongs in a second than one may (100, unless the service is set up otherwise).',
  }),
  subscription_limit: entry({
    title: 'Subscription limit reached',
    retryable: false,
    when: 'The connection holds as many subscriptions as one may. In the answer to a subscribe message the symbol stands in `rejected` with this code.',
  }),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** RFC 9457 body of every REST error. */
export const Problem = z
  .object({
    type: z.string().meta({ description: 'Link to the description of the code in the reference' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(ERROR_CODES),
    request_id: z.string(),
    errors: z
      .array(z.object({ parameter: z.string(), value: z.string().nullable(), allowed: z.string() }))
      .optional()
      .meta({ description: 'For bad input: each parameter, the value it had and what is allowed' }),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;
