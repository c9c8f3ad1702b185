// Sends one REST request: builds the URL, adds the key, applies the timeout, and returns the typed body or throws a
// TickwireError.
import type { RequestSignature, StreamPosition } from '../common/contract.ts';
import { hex } from '../common/hex.ts';
import type { Instant } from '../common/instant.ts';
import { errorFromResponse, TickwireError } from '../common/tickwire-error.ts';
import type { Credentials } from './credentials.ts';
import { type ResponseInfo, readPosition, readResponseInfo } from './response-info.ts';
import { type RetryPolicy, withRetry } from './retry.ts';

/** A function that sends a request, such as the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What every REST call of a client has in common. */
export interface RestConfig {
  /** Address of the service, ending in a slash. */
  readonly base: URL;
  /** The key, or the session of the client. */
  readonly credentials: Credentials;
  /** Sends the requests. */
  readonly fetch: Fetch;
  /** Timeout of each attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Limits of retries. */
  readonly retryPolicy: RetryPolicy;
  /** Called for every response. */
  readonly onResponse?: ((info: ResponseInfo) => void) | undefined;
}

/**
 * Options of a single REST call, the last argument of every method.
 * @example await client.quote('EURUSD', { timeoutMs: 2_000, signal: AbortSignal.timeout(5_000) });
 */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Timeout of each attempt, in milliseconds. Default: `timeoutMs` of the client. */
  readonly timeoutMs?: number;
  /** Whether to retry after a 429 or 503 with `Retry-After`. Default true. */
  readonly retry?: boolean;
  /** Whether the request goes on if the page that sends it is closed, in a browser. Default false. */
  readonly keepalive?: boolean;
}

/**
 * Options of a call that changes something and is safe to repeat.
 * @example await client.closeSignal('sig_1', { idempotencyKey: 'close-17' });
 */
export interface PostOptions extends CallOptions {
  /**
   * Identifies the request for 24 hours: a repetition with the same key returns the first response and changes nothing.
   * Pass your own to make the call repeatable from another process. Default: a random key for each call.
   */
  readonly idempotencyKey?: string;
}

/**
 * Options of a request to close a signal.
 * @example await client.closeSignal('sig_1', { signed: await signer.close('sig_1') });
 */
export interface CloseOptions extends PostOptions {
  /** Signature of the request, if the account has a signing key. */
  readonly signed?: RequestSignature;
}

type QueryValue = Instant | boolean | readonly string[] | undefined;

function queryText(value: Exclude<QueryValue, undefined>): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? value.join(',') : String(value);
}

/** Resolves a path against the base URL and keeps the base's path prefix. */
export function buildUrl(base: URL, path: string, query: Readonly<Record<string, QueryValue>> = {}): URL {
  const url = new URL(path.replace(/^\//, ''), base);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, queryText(value));
  }
  return url;
}

interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function call<Body>(rest: RestConfig, url: URL, request: Request, options: CallOptions): Promise<Body> {
  return (await callWithHeaders<Body>(rest, url, request, options)).body;
}

async function callWithHeaders<Body>(rest: RestConfig, url: URL, request: Request, options: CallOptions) {
  const { status, headers, text } = await exchange(rest, url, request, options);
  try {
    return { body: JSON.parse(text) as Body, headers };
  } catch (cause) {
    const detail = 'The response is not valid JSON';
    throw new TickwireError({ status, code: 'unexpected_response', detail, cause });
  }
}

/** Sends a request. The timeout ends with `received`, so that a streamed body may take longer. */
async function send(rest: RestConfig, url: URL, request: Request, options: CallOptions) {
  const { signal, timeoutMs = rest.timeoutMs, keepalive } = options;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new DOMException('timeout', 'TimeoutError')), timeoutMs);
  const received = (): void => clearTimeout(timer);
  /** What to throw if no response arrived, or not all of it. */
  const failure = (cause: unknown): unknown => {
    received();
    // The caller aborted and gets its own reason back.
    if (signal?.aborted) return signal.reason;
    return timeout.signal.aborted
      ? new TickwireError({ status: 0, code: 'timeout', detail: `No response within ${timeoutMs} ms`, cause })
      : new TickwireError({ status: 0, code: 'network', detail: `${url.origin} could not be reached`, cause });
  };
  try {
    const response = await rest.fetch(url.href, {
      ...request,
      headers: {
        ...rest.credentials.headers,
        Accept: 'application/json',
        ...request.headers,
      },
      // The service never redirects; following a redirect could carry the key to another origin.
      redirect: 'error',
      ...(keepalive && { keepalive }),
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
    });
    rest.credentials.keep?.(response);
    rest.onResponse?.(readResponseInfo(response));
    return { response, failure, received };
  } catch (cause) {
    throw failure(cause);
  }
}

async function exchange(
  rest: RestConfig,
  url: URL,
  request: Request,
  options: CallOptions,
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  const { response, failure, received } = await send(rest, url, request, options);
  let text: string;
  try {
    text = await response.text();
  } catch (cause) {
    throw failure(cause);
  }
  received();
  if (!response.ok) throw errorFromResponse(response, text);
  return { status: response.status, headers: response.headers, text };
}

/** A response of NDJSON: its headers, and its lines as they arrive. */
export interface Lines<Line> {
  readonly headers: Headers;
  readonly lines: AsyncGenerator<Line, void, undefined>;
}

/** The timeout is that of the headers. */
export function getLines<Line>(
  rest: RestConfig,
  path: string,
  query: Readonly<Record<string, QueryValue>> = {},
  options: CallOptions = {},
): Promise<Lines<Line>> {
  const url = buildUrl(rest.base, path, query);
  return withRetry(rest.retryPolicy, options, async () => {
    const request = { method: 'GET', headers: { Accept: 'application/x-ndjson' } } as const;
    const { response, failure, received } = await send(rest, url, request, options);
    received();
    if (!response.ok) throw errorFromResponse(response, await response.text().catch(() => ''));
    return { headers: response.headers, lines: parseLines<Line>(response, failure) };
  });
}

/** A response whose body is read as it arrives. The timeout is that of the headers. */
export function getStream(
  rest: RestConfig,
  path: string,
  query: Readonly<Record<string, QueryValue>>,
  accept: string,
  options: CallOptions = {},
): Promise<Response> {
  const url = buildUrl(rest.base, path, query);
  return withRetry(rest.retryPolicy, options, async () => {
    const { response, received } = await send(rest, url, { method: 'GET', headers: { Accept: accept } }, options);
    received();
    if (!response.ok) throw errorFromResponse(response, await response.text().catch(() => ''));
    return response;
  });
}

/** Ending the loop early closes the connection. */
async function* parseLines<Line>(
  response: Response,
  failure: (cause: unknown) => unknown,
): AsyncGenerator<Line, void, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const chunk = await reader?.read().catch((cause) => {
        throw failure(cause);
      });
      if (!chunk || chunk.done) break;
      const lines = (rest + chunk.value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as Line;
    }
    if (rest !== '') yield JSON.parse(rest) as Line;
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

export function get<Body>(
  rest: RestConfig,
  path: string,
  query: Readonly<Record<string, QueryValue>> = {},
  options: CallOptions = {},
): Promise<Body> {
  const url = buildUrl(rest.base, path, query);
  return withRetry(rest.retryPolicy, options, () => call<Body>(rest, url, { method: 'GET' }, options));
}

/** A response with its position in the streams, if it states one. */
export interface Positioned<Body> {
  readonly body: Body;
  readonly position: StreamPosition | null;
}

export function getPositioned<Body>(
  rest: RestConfig,
  path: string,
  query: Readonly<Record<string, QueryValue>> = {},
  options: CallOptions = {},
): Promise<Positioned<Body>> {
  const url = buildUrl(rest.base, path, query);
  return withRetry(rest.retryPolicy, options, async () => {
    const { body, headers } = await callWithHeaders<Body>(rest, url, { method: 'GET' }, options);
    return { body, position: readPosition(headers) };
  });
}

/** The text of a CSV response. */
export function getCsv(rest: RestConfig, path: string, options: CallOptions = {}): Promise<string> {
  const request: Request = { method: 'GET', headers: { Accept: 'text/csv' } };
  const url = buildUrl(rest.base, path);
  return withRetry(rest.retryPolicy, options, async () => (await exchange(rest, url, request, options)).text);
}

export interface RequestBody {
  readonly type: string;
  readonly text: string;
}
export const jsonBody = (value: unknown): RequestBody => ({ type: 'application/json', text: JSON.stringify(value) });
export const ndjsonBody = (lines: Iterable<unknown>): RequestBody => ({
  type: 'application/x-ndjson',
  text: Array.from(lines, (line) => JSON.stringify(line)).join('\n'),
});

/**
 * Sends a POST with an idempotency key. If no response arrives, sends it once more with the same key: if the first request
 * did arrive, the service repeats its response.
 */
export function postIdempotent<Body>(
  rest: RestConfig,
  path: string,
  body: RequestBody | null,
  options: PostOptions = {},
): Promise<Body> {
  const url = buildUrl(rest.base, path);
  const { idempotencyKey = newIdempotencyKey() } = options;
  const request = withBody('POST', body, { 'Idempotency-Key': idempotencyKey });
  return withRetry(rest.retryPolicy, options, async () => {
    try {
      return await call<Body>(rest, url, request, options);
    } catch (error) {
      if (!(error instanceof TickwireError && error.status === 0)) throw error;
      return call<Body>(rest, url, request, options);
    }
  });
}

/** Sends a POST that must not be repeated: it is sent exactly once, whatever the outcome. */
export function postOnce<Body>(
  rest: RestConfig,
  path: string,
  body: RequestBody | null,
  options: CallOptions = {},
): Promise<Body> {
  return call(rest, buildUrl(rest.base, path), withBody('POST', body), options);
}

/** Sends a PATCH exactly once: a change that arrives twice could undo another one in between. */
export function patchOnce<Body>(
  rest: RestConfig,
  path: string,
  body: RequestBody,
  options: CallOptions = {},
): Promise<Body> {
  return call(rest, buildUrl(rest.base, path), withBody('PATCH', body), options);
}

/** Sends a PUT exactly once: if it arrived, a repetition would be based on an old revision. */
export function putOnce<Body>(
  rest: RestConfig,
  path: string,
  body: RequestBody,
  options: CallOptions = {},
): Promise<Body> {
  return call(rest, buildUrl(rest.base, path), withBody('PUT', body), options);
}

/**
 * Sends a DELETE. It is repeated if the service rejected it, but not if no response arrived: the repetition of a DELETE that
 * did arrive would fail with 404.
 */
export function remove<Body>(rest: RestConfig, path: string, options: CallOptions = {}): Promise<Body> {
  const url = buildUrl(rest.base, path);
  return withRetry(rest.retryPolicy, options, () => call<Body>(rest, url, { method: 'DELETE' }, options));
}

function withBody(
  method: 'POST' | 'PUT' | 'PATCH',
  body: RequestBody | null,
  headers: Readonly<Record<string, string>> = {},
): Request {
  if (!body) return { method, headers };
  return { method, headers: { ...headers, 'Content-Type': body.type }, body: body.text };
}

/** 128 random bits in hex. Not `crypto.randomUUID`, which browsers offer only to pages loaded over https. */
const newIdempotencyKey = (): string => hex(crypto.getRandomValues(new Uint8Array(16)));
