// The headers of successful responses. A Response copies the Headers it is given, which measured takes a quarter of the
// time of building them from an object; a set() takes a quarter of a copy. So Headers are kept from response to response, and
// only values that changed since the last one are set. All callers share them: Headers for each caller would save few calls of
// set(), and with many callers they would not stay in the caches of the processor.
import { API_VERSION, type StreamPosition } from '@tickwire/contract';
import type { Caller } from '../access/keyring.ts';
import type { RollingWindow } from '../work/rolling-window.ts';

/** Headers of every response. `tls`: the service terminates TLS itself. */
export const securityHeaders = (tls: boolean): Readonly<Record<string, string>> => ({
  'X-Content-Type-Options': 'nosniff',
  ...(tls && { 'Strict-Transport-Security': 'max-age=31536000' }),
});

/** Of a response that the client may keep, but must revalidate on each use. */
export interface Revalidation {
  /** With quotes. */
  readonly etag: string;
  /** '' if the response does not vary. */
  readonly vary: string;
}

export class ResponseHeaders {
  readonly #anonymous: PreparedHeaders;
  readonly #counted: PreparedHeaders;
  /** For answers that state their position in the journal. */
  readonly #positioned: PreparedHeaders;
  readonly #revalidated: PreparedHeaders;
  readonly #anonymousRevalidated: PreparedHeaders;

  constructor(simulated: boolean, tls: boolean) {
    const common = {
      ...securityHeaders(tls),
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'API-Version': API_VERSION,
      ...(simulated && { 'Data-Source': 'simulated' }),
    };
    const revalidated = { ...common, 'Cache-Control': 'private, no-cache' };
    this.#anonymous = new PreparedHeaders(common);
    this.#counted = new PreparedHeaders(common);
    this.#positioned = new PreparedHeaders(common);
    this.#revalidated = new PreparedHeaders(revalidated);
    this.#anonymousRevalidated = new PreparedHeaders(revalidated);
  }

  /** The result is valid until the next call; copy it to keep it longer. */
  of(id: string, caller: Caller | null, now: number, position: StreamPosition | null): Headers {
    if (!caller) return this.#anonymous.of(id);
    if (position === null) return this.#counted.count(caller.quota.requests, now).of(id);
    return this.#positioned.count(caller.quota.requests, now).place(position).of(id);
  }

  /** The same for a response with a tag. */
  revalidated(
    id: string,
    caller: Caller | null,
    now: number,
    position: StreamPosition | null,
    revalidation: Revalidation,
  ): Headers {
    if (!caller) return this.#anonymousRevalidated.tag(revalidation).of(id);
    return this.#revalidated.count(caller.quota.requests, now).place(position).tag(revalidation).of(id);
  }
}

/** Headers that are kept from response to response. */
class PreparedHeaders {
  readonly #headers: Headers;
  #limit = -1;
  #remaining = -1;
  #reset = -1;
  #resetAt = -1;
  #position: StreamPosition | null = null;
  #etag = '';
  #vary = '';

  constructor(common: Readonly<Record<string, string>>) {
    this.#headers = new Headers(common);
  }

  of(id: string): Headers {
    this.#headers.set('X-Request-Id', id);
    return this.#headers;
  }

  /** The allowance that is left. */
  count(minute: RollingWindow, now: number): this {
    const headers = this.#headers;
    const { limit } = minute;
    const remaining = minute.remaining(now);
    const reset = resetSeconds(minute, now);
    if (this.#limit !== limit) {
      this.#limit = limit;
      headers.set('RateLimit-Policy', policy(limit));
      headers.set('X-RateLimit-Limit', `${limit}`);
    }
    if (this.#remaining !== remaining || this.#reset !== reset) headers.set('RateLimit', left(remaining, reset));
    const resetAt = resetTime(minute, now);
    if (this.#resetAt !== resetAt) {
      this.#resetAt = resetAt;
      headers.set('X-RateLimit-Reset', `${resetAt}`);
    }
    if (this.#remaining !== remaining) {
      this.#remaining = remaining;
      headers.set('X-RateLimit-Remaining', `${remaining}`);
    }
    this.#reset = reset;
    return this;
  }

  /** The position in the journal. */
  place(position: StreamPosition | null): this {
    if (this.#position === position) return this;
    if (position === null) {
      this.#headers.delete('Stream-Epoch');
      this.#headers.delete('Stream-Seq');
    } else {
      if (this.#position?.epoch !== position.epoch) this.#headers.set('Stream-Epoch', position.epoch);
      this.#headers.set('Stream-Seq', `${position.seq}`);
    }
    this.#position = position;
    return this;
  }

  tag({ etag, vary }: Revalidation): this {
    if (this.#etag !== etag) {
      this.#etag = etag;
      this.#headers.set('ETag', etag);
    }
    if (this.#vary !== vary) {
      this.#vary = vary;
      if (vary === '') this.#headers.delete('Vary');
      else this.#headers.set('Vary', vary);
    }
    return this;
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
    'X-RateLimit-Reset': `${resetTime(minute, now)}`,
  };
}

/** The header of a response with a stale quote. */
export const quoteAge = (ageMs: number): Record<string, string> => ({ 'Quote-Age': `${Math.floor(ageMs / 1000)}` });

const policy = (limit: number): string => `"minute";q=${limit};w=60`;
const left = (remaining: number, reset: number): string => `"minute";r=${remaining};t=${reset}`;
/** Unix time in seconds. */
const resetTime = (minute: RollingWindow, now: number): number => Math.ceil((now + minute.resetMs(now)) / 1000);

const resetSeconds = (minute: RollingWindow, now: number): number => Math.ceil(minute.resetMs(now) / 1000);

const MAX_UNKNOWN = 10;
const MAX_NAME = 100;

/** Unknown parameters for `warningHeader`, percent-encoded, since a header has only ASCII; `null` if there are none. */
export function listOfUnknown(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const shown = names.slice(0, MAX_UNKNOWN).map((name) => encodeURIComponent(name.slice(0, MAX_NAME).toWellFormed()));
  return names.length > MAX_UNKNOWN ? `${shown.join(', ')}, ...` : shown.join(', ');
}

/** Names the unknown query parameters of a request, which were ignored. */
export const warningHeader = (unknown: string): Record<string, string> => ({ 'Warning-Parameters': unknown });
