// The headers of successful responses. A Response copies the Headers it is given, which measured takes a quarter of the
// time of building them from an object; a set() takes a quarter of a copy. So Headers are kept from response to response, and
// only values that changed since the last one are set. All callers share them: Headers for each caller would save few calls of
// set(), and with many callers they would not stay in the caches of the processor.
import { API_VERSION, type StreamPosition } from '@tickwire/contract';
import type { Caller } from '../access/keyring.ts';
import type { RollingMinute } from '../access/rolling-minute.ts';

/** Headers of every response. `tls`: the service terminates TLS itself. */
export const securityHeaders = (tls: boolean): Readonly<Record<string, string>> => ({
  'X-Content-Type-Options': 'nosniff',
  ...(tls && { 'Strict-Transport-Security': 'max-age=31536000' }),
});

export class ResponseHeaders {
  readonly #anonymous: Headers;
  readonly #counted: CountedHeaders;
  /** For answers that state their position in the journal. */
  readonly #positioned: PositionedHeaders;

  constructor(simulated: boolean, tls: boolean) {
    const common = {
      ...securityHeaders(tls),
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'API-Version': API_VERSION,
      ...(simulated && { 'Data-Source': 'simulated' }),
    };
    this.#anonymous = new Headers(common);
    this.#counted = new CountedHeaders(common);
    this.#positioned = new PositionedHeaders(common);
  }

  /** The result is valid until the next call; copy it to keep it longer. */
  of(id: string, caller: Caller | null, now: number, position: StreamPosition | null = null): Headers {
    const headers = caller ? this.#forCaller(caller, now, position) : this.#anonymous;
    headers.set('X-Request-Id', id);
    return headers;
  }

  #forCaller({ quota: { requests } }: Caller, now: number, position: StreamPosition | null): Headers {
    return position ? this.#positioned.at(position, requests, now) : this.#counted.of(requests, now);
  }
}

/** Headers with the allowance that is left. */
class CountedHeaders {
  readonly headers: Headers;
  #limit = -1;
  #remaining = -1;
  #reset = -1;

  constructor(common: Readonly<Record<string, string>>) {
    this.headers = new Headers(common);
  }

  of(minute: RollingMinute, now: number): Headers {
    const { headers } = this;
    const { limit } = minute;
    const remaining = minute.remaining(now);
    const reset = resetSeconds(minute, now);
    if (this.#limit !== limit) {
      this.#limit = limit;
      headers.set('RateLimit-Policy', policy(limit));
      headers.set('X-RateLimit-Limit', `${limit}`);
    }
    if (this.#remaining !== remaining || this.#reset !== reset) headers.set('RateLimit', left(remaining, reset));
    if (this.#remaining !== remaining) {
      this.#remaining = remaining;
      headers.set('X-RateLimit-Remaining', `${remaining}`);
    }
    if (this.#reset !== reset) {
      this.#reset = reset;
      headers.set('X-RateLimit-Reset', `${reset}`);
    }
    return headers;
  }
}

/** The same with a position in the journal. */
class PositionedHeaders extends CountedHeaders {
  #position: StreamPosition | null = null;

  at(position: StreamPosition, minute: RollingMinute, now: number): Headers {
    if (this.#position !== position) {
      if (this.#position?.epoch !== position.epoch) this.headers.set('Stream-Epoch', position.epoch);
      this.headers.set('Stream-Seq', `${position.seq}`);
      this.#position = position;
    }
    return this.of(minute, now);
  }
}

/** The rate limit headers of an error response to an authenticated caller. */
export function rateLimitHeaders({ quota: { requests: minute } }: Caller, now: number): Record<string, string> {
  const remaining = minute.remaining(now);
  const reset = resetSeconds(minute, now);
  return {
    'RateLimit-Policy': policy(minute.limit),
    RateLimit: left(remaining, reset),
    'X-RateLimit-Limit': `${minute.limit}`,
    'X-RateLimit-Remaining': `${remaining}`,
    'X-RateLimit-Reset': `${reset}`,
  };
}

/** The header of a response with a stale quote. */
export const quoteAge = (ageMs: number): Record<string, string> => ({ 'Quote-Age': `${Math.floor(ageMs / 1000)}` });

const policy = (limit: number): string => `"minute";q=${limit};w=60`;
const left = (remaining: number, reset: number): string => `"minute";r=${remaining};t=${reset}`;
const resetSeconds = (minute: RollingMinute, now: number): number => Math.ceil(minute.resetMs(now) / 1000);

const MAX_UNKNOWN = 10;
const MAX_NAME = 100;

/** Unknown parameters or fields for `warningHeader`, percent-encoded, since a header has only ASCII; `null` if there are none. */
export function listOfUnknown(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const shown = names.slice(0, MAX_UNKNOWN).map((name) => encodeURIComponent(name.slice(0, MAX_NAME).toWellFormed()));
  return names.length > MAX_UNKNOWN ? `${shown.join(', ')}, ...` : shown.join(', ');
}

/** Names the unknown query parameters and body fields of a request. */
export const warningHeader = (unknown: string): Record<string, string> => ({ 'Warning-Parameters': unknown });
