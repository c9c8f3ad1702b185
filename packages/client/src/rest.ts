// One REST call: address, key, time limit, and either the typed body or a TickwireError.
import { type AnswerInfo, answerInfo } from './answer-info.ts';
import { type Patience, patiently } from './patience.ts';
import { failureOf, TickwireError } from './tickwire-error.ts';
import type { Instant } from './wire.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface RestOptions {
  readonly base: URL;
  /** None in a page of the service itself, where the session's cookie says who calls. */
  readonly apiKey: string | undefined;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly patience: Patience;
  /** Called once for every answer, refused ones too, before the call settles. */
  readonly onAnswer?: ((info: AnswerInfo) => void) | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Limit of this call, in milliseconds; of each attempt where it is sent again. */
  readonly timeoutMs?: number;
  /** false: a 429 or 503 is thrown at once, whatever its `Retry-After` says. */
  readonly retry?: boolean;
}

type QueryValue = Instant | boolean | readonly string[] | undefined;

function queryText(value: Exclude<QueryValue, undefined>): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? value.join(',') : String(value);
}

export function addressOf(base: URL, path: string, query: Readonly<Record<string, QueryValue>> = {}): URL {
  // Relative to the base, so that a service behind a path prefix is reached too.
  const address = new URL(path.replace(/^\//, ''), base);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) address.searchParams.set(name, queryText(value));
  }
  return address;
}

interface Request {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function exchange(rest: RestOptions, address: URL, request: Request, options: CallOptions): Promise<Response> {
  const { signal, timeoutMs = rest.timeoutMs } = options;
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    return await rest.fetch(address.href, {
      ...request,
      headers: {
        ...(rest.apiKey === undefined ? {} : { 'X-API-Key': rest.apiKey }),
        Accept: 'application/json',
        ...request.headers,
      },
      // The service never redirects; following one could carry the key to another origin.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
  } catch (cause) {
    // The caller asked for the abort, and gets back the reason it gave.
    if (signal?.aborted) throw cause;
    throw limit.aborted
      ? new TickwireError({ status: 0, code: 'timeout', detail: `No answer within ${timeoutMs} ms`, cause })
      : new TickwireError({ status: 0, code: 'network', detail: `${address.origin} could not be reached`, cause });
  }
}

async function call<Body>(rest: RestOptions, address: URL, request: Request, options: CallOptions): Promise<Body> {
  const response = await exchange(rest, address, request, options);
  rest.onAnswer?.(answerInfo(response));
  if (!response.ok) throw await failureOf(response);
  try {
    return (await response.json()) as Body;
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    const detail = 'The answer could not be read as JSON';
    throw new TickwireError({ status: response.status, code: 'unexpected_response', detail, cause });
  }
}

export function get<Body>(
  rest: RestOptions,
  path: string,
  query: Readonly<Record<string, QueryValue>> = {},
  options: CallOptions = {},
): Promise<Body> {
  const address = addressOf(rest.base, path, query);
  return patiently(rest.patience, options, () => call<Body>(rest, address, { method: 'GET' }, options));
}

export interface PostOptions extends CallOptions {
  /** One of your own makes the call safe to repeat from another process too; without it each call has a new one. */
  readonly idempotencyKey?: string;
}

/** A body as it goes over the wire: JSON documents and lines of them, or nothing. */
export interface Content {
  readonly type: string;
  readonly body: string;
}
export const asJson = (document: unknown): Content => ({ type: 'application/json', body: JSON.stringify(document) });
export const asLines = (lines: Iterable<unknown>): Content => ({
  type: 'application/x-ndjson',
  body: Array.from(lines, (line) => JSON.stringify(line)).join('\n'),
});

/**
 * A request that changes something. Where no answer came it is sent once more with the same key: whether the first one
 * arrived cannot be known, and if it did, the service gives its answer again.
 */
export function post<Body>(
  rest: RestOptions,
  path: string,
  content: Content | null,
  options: PostOptions = {},
): Promise<Body> {
  const address = addressOf(rest.base, path);
  const { idempotencyKey = newIdempotencyKey() } = options;
  const request = postOf(content, { 'Idempotency-Key': idempotencyKey });
  return patiently(rest.patience, options, async () => {
    try {
      return await call<Body>(rest, address, request, options);
    } catch (error) {
      if (!(error instanceof TickwireError && error.status === 0)) throw error;
      return call<Body>(rest, address, request, options);
    }
  });
}

/** The same where a second request would count as a second one: it is sent once, whatever comes of it. */
export function postOnce<Body>(
  rest: RestOptions,
  path: string,
  content: Content | null,
  options: CallOptions = {},
): Promise<Body> {
  return call(rest, addressOf(rest.base, path), postOf(content), options);
}

function postOf(content: Content | null, headers: Readonly<Record<string, string>> = {}): Request {
  if (!content) return { method: 'POST', headers };
  return { method: 'POST', headers: { ...headers, 'Content-Type': content.type }, body: content.body };
}

/** 128 random bits. Not `crypto.randomUUID`, which a browser has only for pages that came over https. */
function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
