// The order of checks before an endpoint answers: key (401), scope (403), allowance (429).
import type { Scope } from '@tickwire/contract';
import type { AddressOf } from '../access/client-address.ts';
import type { FailedAttempts } from '../access/failed-attempts.ts';
import type { Caller, Keyring } from '../access/keyring.ts';
import { WINDOW_MS } from '../access/rolling-minute.ts';
import { ApiError } from './api-error.ts';

export interface GuardOptions {
  readonly keyring: Keyring;
  readonly failures: FailedAttempts;
  readonly addressOf: AddressOf;
}

export interface PeerLookup {
  requestIP(request: Request): { readonly address: string } | null;
}

const KEY_HEADER = 'x-api-key';

export class Guard {
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  address(request: Request, peers: PeerLookup): string {
    return this.#options.addressOf(peers.requestIP(request)?.address, request.headers.get('x-forwarded-for'));
  }

  hasKey(request: Request): boolean {
    return request.headers.has(KEY_HEADER);
  }

  /** The caller behind the request's key, or a 401. Too many bad keys from one address: a 429 instead. */
  authenticate(request: Request, peers: PeerLookup, now: number): Caller {
    const key = request.headers.get(KEY_HEADER);
    if (key === null) throw new ApiError('missing_key', 'Send your API key in the X-API-Key header.');
    return this.identify(key, request, peers, now);
  }

  /** The same for a key that came in another place. */
  identify(key: string, request: Request, peers: PeerLookup, now: number): Caller {
    const caller = this.#options.keyring.authenticate(key, now);
    if (caller) return caller;
    const wait = this.#options.failures.fail(this.address(request, peers), now);
    if (wait > 0) {
      const seconds = String(Math.ceil(wait / 1000));
      throw new ApiError('too_many_failures', 'Too many bad API keys came from this address.', {
        headers: { 'Retry-After': seconds },
      });
    }
    throw new ApiError('invalid_key', 'The API key is unknown, expired or revoked.');
  }

  scope(caller: Caller, scope: Scope): void {
    if (!caller.scopes.has(scope)) {
      throw new ApiError('missing_scope', `This needs a key with the scope ${scope}.`);
    }
  }

  /** Counts the request against the account's rolling minute. */
  allowance(caller: Caller, now: number): void {
    if (this.#options.keyring.take(caller, now)) return;
    const { minute } = caller.account;
    const seconds = String(Math.ceil(minute.resetMs(now) / 1000));
    throw new ApiError(
      'rate_limited',
      `The ${caller.account.tierName} tier allows ${minute.limit} requests in ${WINDOW_MS / 1000} seconds; one is free again in ${seconds} s.`,
      { headers: { 'Retry-After': seconds } },
    );
  }
}

/** What every answer to a valid key says about its allowance. */
export function allowanceHeaders({ account: { minute } }: Caller, now: number): [name: string, value: string][] {
  const remaining = minute.remaining(now);
  const reset = Math.ceil(minute.resetMs(now) / 1000);
  return [
    ['RateLimit-Policy', `"minute";q=${minute.limit};w=60`],
    ['RateLimit', `"minute";r=${remaining};t=${reset}`],
    ['X-RateLimit-Limit', `${minute.limit}`],
    ['X-RateLimit-Remaining', `${remaining}`],
    ['X-RateLimit-Reset', `${reset}`],
  ];
}
