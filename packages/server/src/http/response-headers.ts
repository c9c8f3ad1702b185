// The headers of successful responses. A Response copies the Headers it is given, which measured takes a quarter of the
// time of building them from an object; a set() takes a quarter of a copy. So each quota keeps its Headers, and only values
// that changed since its last response are set.
import { API_VERSION, type StreamPosition } from '@tickwire/contract';
import type { Caller } from '../access/keyring.ts';
import type { Quota } from '../access/quota.ts';
import type { RollingMinute } from '../access/rolling-minute.ts';

interface CachedHeaders {
  readonly headers: Headers;
  limit: number;
  remaining: number;
  reset: number;
  /** Of answers that state their position in the journal; these have Headers of their own. */
  position: StreamPosition | null;
}

/** Headers of every response. `tls`: the service terminates TLS itself. */
export const securityHeaders = (tls: boolean): Readonly<Record<string, string>> => ({
  'X-Content-Type-Options': 'nosniff',
  ...(tls && { 'Strict-Transport-Security': 'max-age=31536000' }),
});

export class ResponseHeaders {
  readonly #common: Readonly<Record<string, string>>;
  readonly #anonymous: Headers;
  /** Weak, since sessions come and go. */
  readonly #cache = new WeakMap<Quota, CachedHeaders>();
  readonly #positioned = new WeakMap<Quota, CachedHeaders>();

  constructor(simulated: boolean, tls: boolean) {
    this.#common = {
      ...securityHeaders(tls),
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'API-Version': API_VERSION,
      ...(simulated && { 'Data-Source': 'simulated' }),
    };
    this.#anonymous = new Headers(this.#common);
  }

  /** The result is valid until the next call; copy it to keep it longer. */
  of(id: string, caller: Caller | null, now: number, position: StreamPosition | null = null): Headers {
    const headers = caller ? this.#forQuota(caller.quota, now, position) : this.#anonymous;
    headers.set('X-Request-Id', id);
    return headers;
  }

  #forQuota(quota: Quota, now: number, position: StreamPosition | null): Headers {
    const cache = position ? this.#positioned : this.#cache;
    let cached = cache.get(quota);
    if (!cached) {
      cached = { headers: new Headers(this.#common), limit: -1, remaining: -1, reset: -1, position: null };
      cache.set(quota, cached);
    }
    const { requests: minute } = quota;
    const { headers } = cached;
    const remaining = minute.remaining(now);
    const reset = resetSeconds(minute, now);
    if (cached.limit !== minute.limit) {
      cached.limit = minute.limit;
      headers.set('RateLimit-Policy', policy(cached.limit));
      headers.set('X-RateLimit-Limit', `${cached.limit}`);
    }
    if (cached.remaining !== remaining || cached.reset !== reset) headers.set('RateLimit', left(remaining, reset));
    if (cached.remaining !== remaining) {
      cached.remaining = remaining;
      headers.set('X-RateLimit-Remaining', `${remaining}`);
    }
    if (cached.reset !== reset) {
      cached.reset = reset;
      headers.set('X-RateLimit-Reset', `${reset}`);
    }
    if (position && cached.position !== position) {
      if (cached.position?.epoch !== position.epoch) headers.set('Stream-Epoch', position.epoch);
      headers.set('Stream-Seq', `${position.seq}`);
      cached.position = position;
    }
    return headers;
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

/** Names the unknown query parameters of a request. */
export const warningHeader = (unknown: string): Record<string, string> => ({ 'Warning-Parameters': unknown });

export function withExtra(headers: Headers, extra: Readonly<Record<string, string>>): Headers {
  const all = new Headers(headers);
  for (const name in extra) all.set(name, extra[name]!);
  return all;
}
