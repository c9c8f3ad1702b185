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

type QueryValue = Instant | readonly string[] | undefined;

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

async function exchange(rest: RestOptions, address: URL, signal: AbortSignal | undefined): Promise<Response> {
  const limit = AbortSignal.timeout(rest.timeoutMs);
  try {
    return await rest.fetch(address.href, {
      headers: { 'X-API-Key': rest.apiKey, Accept: 'application/json' },
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

export async function get<Body>(
  rest: RestOptions,
  path: string,
  query: Readonly<Record<string, QueryValue>> = {},
  { signal }: CallOptions = {},
): Promise<Body> {
  const response = await exchange(rest, addressOf(rest.base, path, query), signal);
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
