// One REST call: address, key, time limit, and either the typed body or a TickwireError.
import { type AnswerInfo, answerInfo } from './answer-info.ts';
import { failureOf, TickwireError } from './tickwire-error.ts';
import type { Instant } from './wire.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface RestOptions {
  readonly base: URL;
  readonly apiKey: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  /** Called once for every answer, refused ones too, before the call settles. */
  readonly onAnswer?: ((info: AnswerInfo) => void) | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
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

async function exchange(rest: RestOptions, address: URL, request: Request, signal?: AbortSignal): Promise<Response> {
  const limit = AbortSignal.timeout(rest.timeoutMs);
  try {
    return await rest.fetch(address.href, {
      ...request,
      headers: { 'X-API-Key': rest.apiKey, Accept: 'application/json', ...request.headers },
      // The service never redirects; following one could carry the key to another origin.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
  } catch (cause) {
    // The caller asked for the abort, and gets back the reason it gave.
    if (signal?.aborted) throw cause;
    throw limit.aborted
      ? new TickwireError({ status: 0, code: 'timeout', detail: `No answer within ${rest.timeoutMs} ms`, cause })
      : new TickwireError({ status: 0, code: 'network', detail: `${address.origin} could not be reached`, cause });
  }
}

async function call<Body>(rest: RestOptions, address: URL, request: Request, signal?: AbortSignal): Promise<Body> {
  const response = await exchange(rest, address, request, signal);
  rest.onAnswer?.(answerInfo(response));
  if (!response.ok) throw await failureOf(response);
  try {
    return (await response.json()) as Body;
  } catch (cause) {
    if (signal?.aborted) throw cause;
    const detail = 'The answer could not be read as JSON';
    throw new TickwireError({ status: response.status, code: 'unexpected_response', detail, cause });
  }
}

export function get<Body>(
  rest: RestOptions,
  path: string,
  query: Readonly<Record<string, QueryValue>> = {},
  { signal }: CallOptions = {},
): Promise<Body> {
  return call(rest, addressOf(rest.base, path, query), { method: 'GET' }, signal);
}

export interface PostOptions extends CallOptions {
  /** One of your own makes the call safe to repeat from another process too; without it each call has a new one. */
  readonly idempotencyKey?: string;
}

/**
 * A request that changes something. Where no answer came it is sent once more with the same key: whether the first one
 * arrived cannot be known, and if it did, the service gives its answer again.
 */
export async function post<Body>(
  rest: RestOptions,
  path: string,
  document: unknown,
  { signal, idempotencyKey = newIdempotencyKey() }: PostOptions = {},
): Promise<Body> {
  const address = addressOf(rest.base, path);
  const request: Request = {
    method: 'POST',
    headers: {
      'Idempotency-Key': idempotencyKey,
      ...(document === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(document === undefined ? {} : { body: JSON.stringify(document) }),
  };
  try {
    return await call<Body>(rest, address, request, signal);
  } catch (error) {
    if (!(error instanceof TickwireError && error.status === 0)) throw error;
    return call<Body>(rest, address, request, signal);
  }
}

/** A question that is too long for a query. It is sent once: a second answer might count as a second call. */
export function ask<Body>(
  rest: RestOptions,
  path: string,
  document: unknown,
  { signal }: CallOptions = {},
): Promise<Body> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(document);
  return call(rest, addressOf(rest.base, path), { method: 'POST', headers, body }, signal);
}

/** 128 random bits. Not `crypto.randomUUID`, which a browser has only for pages that came over https. */
function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
