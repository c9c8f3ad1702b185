// The form of an error in the catalogue, and the errors that any request can meet. Each domain describes its own in its `errors.ts`;
// `stream/error-catalogue.ts` has all of them.

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

/** Errors that are not specific to a domain. */
export const REQUEST_ERRORS = {
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
  unknown_parameter: entry(
    { status: 400 },
    'Unknown parameter',
    'The endpoint has no such parameter or field. `errors` lists each one with the nearest known name.',
  ),
  malformed_path: entry(
    { status: 400 },
    'Malformed path',
    'The path contains a percent-encoding that cannot be decoded.',
  ),
  malformed_body: entry(
    { status: 400 },
    'Malformed body',
    'The body cannot be read. It is not JSON, is not UTF-8, does not match its Content-Encoding, or was sent too slowly or in tiny chunks. Nothing was accepted. (The lines of an NDJSON body are rejected one by one instead.)',
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
    'The body exceeds the limit of the endpoint. That is 16 MiB of lines (64 MiB after decompression), or 64 KiB for any other body. (The value of a document of an account may have 64 KiB, its body 128 KiB.) Nothing was accepted.',
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
};

/** Errors that any request can meet. */
export const COMMON_ERRORS = ['method_not_allowed', 'uri_too_long', 'internal', 'shutting_down'] as const;
