// Error codes and the shape of an error. A code means the same over REST and WebSocket. Each domain describes its own codes
// in its `errors.ts`; this file describes those that any request can meet.
import { z } from 'zod';

export const ERROR_CODES = [
  'missing_key',
  'invalid_key',
  'missing_scope',
  'ingest_disabled',
  'rate_limited',
  'too_many_failures',
  'too_many_requests',
  'too_many_connections',
  'invalid_parameter',
  'repeated_parameter',
  'malformed_path',
  'malformed_body',
  'symbol_not_found',
  'not_found',
  'signal_not_found',
  'publisher_not_found',
  'news_not_found',
  'no_evidence',
  'export_rows_exhausted',
  'alert_not_found',
  'subscription_not_found',
  'destination_not_found',
  'delivery_not_found',
  'invalid_condition',
  'too_many_alerts',
  'too_many_destinations',
  'channel_not_configured',
  'private_address',
  'destination_unverified',
  'wrong_destination_code',
  'not_replayable',
  'precondition_failed',
  'range_not_satisfiable',
  'too_many_downloads',
  'not_your_signal',
  'signal_closed',
  'close_requested',
  'signal_voided',
  'too_many_signals',
  'too_many_signals_of_symbol',
  'signals_exhausted',
  'market_closed',
  'stale_quote',
  'price_unconfirmed',
  'finer_than_digits',
  'levels_out_of_order',
  'invalid_targets',
  'stop_not_tighter',
  'too_many_amendments',
  'signature_required',
  'invalid_signature',
  'stale_signature',
  'entry_too_far',
  'distance_out_of_range',
  'level_reached',
  'expiry_out_of_range',
  'ai_calls_exhausted',
  'model_not_found',
  'model_unavailable',
  'session_required',
  'invalid_session',
  'wrong_credentials',
  'wrong_password',
  'two_factor_required',
  'wrong_code',
  'two_factor_enabled',
  'two_factor_disabled',
  'account_disabled',
  'foreign_origin',
  'registration_closed',
  'invalid_token',
  'account_not_found',
  'key_not_found',
  'link_not_found',
  'session_not_found',
  'invitation_not_found',
  'name_taken',
  'owner_account',
  'document_not_found',
  'document_conflict',
  'too_many_documents',
  'key_revoked',
  'too_many_keys',
  'key_creations_exhausted',
  'too_many_attempts',
  'method_not_allowed',
  'idempotency_conflict',
  'payload_too_large',
  'uri_too_long',
  'unsupported_encoding',
  'upgrade_required',
  'internal',
  'service_full',
  'no_quote',
  'no_trades',
  'no_conversion',
  'no_active_ingest',
  'store_unavailable',
  'shutting_down',
  'malformed_json',
  'invalid_message',
  'unknown_action',
  'unknown_channel',
  'bad_messages',
  'too_slow',
  'message_too_large',
  'stream_limit',
  'too_many_messages',
  'subscription_limit',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorEntry {
  readonly title: string;
  /** HTTP status; absent if the code never answers a REST request or an upgrade. */
  readonly status?: number;
  /** WebSocket close code; absent if the error never closes a connection. */
  readonly close?: number;
  /** Whether the same request, or a new connection, can succeed later without a change by the caller. */
  readonly retryable: boolean;
  /** When the error occurs, in full sentences. */
  readonly when: string;
}

type Traits = Pick<ErrorEntry, 'status' | 'close'> & Partial<Pick<ErrorEntry, 'retryable'>>;

/** An entry of the catalogue; not retryable by default. */
export const entry = (traits: Traits, title: string, when: string): ErrorEntry => ({
  retryable: false,
  ...traits,
  title,
  when,
});

/** Checks the codes of one part of the catalogue. */
export const errorEntries = <C extends ErrorCode>(entries: Record<C, ErrorEntry>): Readonly<Record<C, ErrorEntry>> =>
  entries;

/** Errors that are not specific to a domain. */
export const REQUEST_ERRORS = errorEntries({
  invalid_parameter: entry(
    { status: 400 },
    'Invalid parameter',
    'A query parameter, a header or a field of the body has a value that is not allowed. `errors` lists each one with its value and the allowed values.',
  ),
  repeated_parameter: entry(
    { status: 400 },
    'Repeated parameter',
    'A query parameter with a single value was given more than once. (The values of a repeated list are joined.) `errors` lists each one.',
  ),
  malformed_path: entry(
    { status: 400 },
    'Malformed path',
    'The path contains a percent-encoding that cannot be decoded.',
  ),
  malformed_body: entry(
    { status: 400 },
    'Malformed body',
    'The body is not JSON, is not UTF-8, does not match its Content-Encoding, or was sent too slowly or in tiny chunks. Nothing was accepted. (The lines of an NDJSON body are rejected one by one instead.)',
  ),
  not_found: entry({ status: 404 }, 'Not found', 'The path does not exist.'),
  method_not_allowed: entry(
    { status: 405 },
    'Method not allowed',
    'The path exists but does not support this method. The `Allow` header lists the supported methods.',
  ),
  idempotency_conflict: entry(
    { status: 409 },
    'Idempotency key already used',
    'The Idempotency-Key was used with a different body within the last 24 hours. Nothing was accepted.',
  ),
  payload_too_large: entry(
    { status: 413 },
    'Payload too large',
    'The body exceeds the limit of the endpoint: 16 MiB of lines (64 MiB after decompression), or 64 KiB for any other body. (The value of a document of an account may have 64 KiB, its body 128 KiB.) Nothing was accepted.',
  ),
  uri_too_long: entry(
    { status: 414 },
    'URI too long',
    'Path and query together are longer than 8 KiB. (Above 16 KiB the response is 431 without a body.)',
  ),
  unsupported_encoding: entry(
    { status: 415 },
    'Unsupported encoding',
    'The Content-Encoding of the body is neither gzip nor identity.',
  ),
  internal: entry(
    { status: 500, close: 1011, retryable: true },
    'Internal server error',
    'The service failed to handle the request. The operator can find the cause in the log under the request id.',
  ),
  no_active_ingest: entry(
    { status: 503, retryable: true },
    'No active ingest node',
    'In a cluster, another ingest node is taking over. Operations that need the active node, such as publishing a signal, are unavailable until it is ready. Retry-After gives the time to wait.',
  ),
  store_unavailable: entry(
    { status: 503, retryable: true },
    'Store unavailable',
    'The request needs the store, for example for older history, and the store does not respond.',
  ),
  shutting_down: entry(
    { status: 503, close: 1012, retryable: true },
    'Service is stopping',
    'The service is stopping or restarting. Reconnect after a short delay.',
  ),
});

/** Errors that any request can meet. */
export const COMMON_ERRORS = [
  'method_not_allowed',
  'uri_too_long',
  'internal',
  'shutting_down',
] as const satisfies readonly ErrorCode[];

/** Errors of reading a body that is one JSON document. */
export const JSON_BODY_ERRORS = [
  'malformed_body',
  'payload_too_large',
  'unsupported_encoding',
  'invalid_parameter',
] as const satisfies readonly ErrorCode[];

/** RFC 9457 body of every REST error. */
export const Problem = z
  .object({
    type: z.string().meta({ description: 'Link to the description of the code in the API reference' }),
    title: z.string().meta({ description: 'Short name of the error. It may change; use `code` in programs' }),
    status: z.int().meta({ description: 'HTTP status of the response' }),
    detail: z.string().meta({ description: 'Explanation of this occurrence, for people' }),
    code: z.enum(ERROR_CODES).meta({ description: 'Stable error code, the field to use in programs' }),
    request_id: z.string().meta({ description: 'Id of the request, the same as in the `X-Request-Id` header' }),
    errors: z
      .array(
        z.object({
          parameter: z.string().meta({ description: 'Name of the parameter, header or field' }),
          value: z.string().nullable().meta({ description: 'Value received, shortened; `null` if it was missing' }),
          allowed: z.string().meta({ description: 'Allowed values, in words' }),
        }),
      )
      .optional()
      .meta({
        description: 'Present on `invalid_parameter` and `repeated_parameter`: one entry for each parameter or field',
      }),
    s: z.literal('error').optional().meta({ description: 'Only on paths for TradingView charts, which look for it' }),
    errmsg: z.string().optional().meta({ description: 'The same as `detail`; only on paths for TradingView charts' }),
  })
  .meta({ id: 'Problem', description: 'Body of every REST error (RFC 9457)' });
export type Problem = z.infer<typeof Problem>;
