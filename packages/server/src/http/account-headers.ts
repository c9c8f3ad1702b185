// The headers of good answers. A response copies the Headers it is given: measured, that costs a quarter of making them from
// an object, and a set costs a quarter of the copy. So each account keeps its own, and only what changed since its
// last answer is set.
import { API_VERSION } from '@tickwire/contract';
import type { AccountState, Caller } from '../access/keyring.ts';
import type { RollingMinute } from '../access/rolling-minute.ts';

interface Kept {
  readonly headers: Headers;
  limit: number;
  remaining: number;
  reset: number;
}

export class AnswerHeaders {
  readonly #common: Readonly<Record<string, string>>;
  readonly #keyless: Headers;
  /** Sessions come and go, and each is an account of its own here. */
  readonly #kept = new WeakMap<AccountState, Kept>();

  constructor(simulated: boolean) {
    this.#common = {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'API-Version': API_VERSION,
      ...(simulated && { 'Data-Source': 'simulated' }),
    };
    this.#keyless = new Headers(this.#common);
  }

  /** Valid until the next call: whoever needs them longer copies them. */
  of(id: string, caller: Caller | null, now: number): Headers {
    const headers = caller ? this.#keyed(caller.account, now) : this.#keyless;
    headers.set('X-Request-Id', id);
    return headers;
  }

  #keyed(account: AccountState, now: number): Headers {
    let kept = this.#kept.get(account);
    if (!kept) {
      kept = { headers: new Headers(this.#common), limit: -1, remaining: -1, reset: -1 };
      this.#kept.set(account, kept);
    }
    const { minute } = account;
    const { headers } = kept;
    const remaining = minute.remaining(now);
    const reset = resetSeconds(minute, now);
    if (kept.limit !== minute.limit) {
      kept.limit = minute.limit;
      headers.set('RateLimit-Policy', policy(kept.limit));
      headers.set('X-RateLimit-Limit', `${kept.limit}`);
    }
    if (kept.remaining !== remaining || kept.reset !== reset) headers.set('RateLimit', left(remaining, reset));
    if (kept.remaining !== remaining) {
      kept.remaining = remaining;
      headers.set('X-RateLimit-Remaining', `${remaining}`);
    }
    if (kept.reset !== reset) {
      kept.reset = reset;
      headers.set('X-RateLimit-Reset', `${reset}`);
    }
    return headers;
  }
}

/** What an error to a valid key says about its allowance. */
export function allowanceHeaders({ account: { minute } }: Caller, now: number): Record<string, string> {
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

const policy = (limit: number): string => `"minute";q=${limit};w=60`;
const left = (remaining: number, reset: number): string => `"minute";r=${remaining};t=${reset}`;
const resetSeconds = (minute: RollingMinute, now: number): number => Math.ceil(minute.resetMs(now) / 1000);
