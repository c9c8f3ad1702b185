// The order of checks before an endpoint answers: key or session (401), scope (403), allowance (429). A session's cookie
// counts only where the request comes from a page of our own.
import type { Scope } from '@tickwire/contract';
import type { AddressOf } from '../access/client-address.ts';
import type { FailedAttempts } from '../access/failed-attempts.ts';
import type { Caller, Keyring } from '../access/keyring.ts';
import type { OriginOf } from '../access/own-origin.ts';
import { WINDOW_MS } from '../access/rolling-minute.ts';
import { endedCookie, tokenIn } from '../access/session-cookie.ts';
import type { SharedAllowance } from '../cluster/shared-allowance.ts';
import { ApiError } from './api-error.ts';

export interface GuardOptions {
  readonly keyring: Keyring;
  readonly failures: FailedAttempts;
  readonly addressOf: AddressOf;
  readonly originOf: OriginOf;
  /** Counts over all gateways of a cluster; left out where this process is alone. */
  readonly shared?: Pick<SharedAllowance, 'take'>;
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

  /** The caller behind the request's key or cookie, or a 401. Too many bad keys from one address: a 429 instead. */
  authenticate(request: Request, peers: PeerLookup, now: number): Caller {
    const key = request.headers.get(KEY_HEADER);
    if (key !== null) return this.identify(key, request, peers, now);
    const caller = this.#session(request, peers, now);
    if (!caller) throw new ApiError('missing_key', 'Send your API key in the X-API-Key header.');
    return caller;
  }

  /** The same where no key will do. */
  signedIn(request: Request, peers: PeerLookup, now: number): Caller {
    const caller = this.#session(request, peers, now);
    if (!caller) throw new ApiError('session_required', 'Sign in first; an API key will not do here.');
    return caller;
  }

  /** The session of a handshake; null where it has none, or comes from elsewhere, where a key may still follow. */
  streaming(request: Request, peers: PeerLookup, now: number): Caller | null {
    if (this.token(request, peers) === null || !this.#isOwnPage(request, peers, true)) return null;
    return this.#session(request, peers, now);
  }

  /** Throws where a page of another origin is behind the request. */
  ownPage(request: Request, peers: PeerLookup, surely: boolean): void {
    if (this.#isOwnPage(request, peers, surely)) return;
    throw new ApiError(
      'foreign_origin',
      'The request does not come from a page of this service. Behind a proxy, set trusted_proxies or public_url.',
    );
  }

  /** By what origin the caller reached us; '' where it does not say. */
  origin(request: Request, peers: PeerLookup): string {
    return this.#options.originOf(request, peers.requestIP(request)?.address);
  }

  /** Whether browsers reach us over https. */
  secure(request: Request, peers: PeerLookup): boolean {
    return this.origin(request, peers).startsWith('https:');
  }

  /** The token in the cookie of a session, or null. */
  token(request: Request, peers: PeerLookup): string | null {
    const cookies = request.headers.get('cookie');
    return cookies === null ? null : tokenIn(cookies, this.secure(request, peers));
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

  /** Whose alert it is: the token in the path is a key that may do this and nothing else. */
  alerting(token: string, request: Request, peers: PeerLookup, now: number): Caller {
    const caller = this.identify(token, request, peers, now);
    this.scope(caller, 'hook');
    return caller;
  }

  scope(caller: Caller, scope: Scope): void {
    if (!caller.scopes.has(scope)) {
      const who = caller.session ? 'an account' : 'a key';
      throw new ApiError('missing_scope', `This needs ${who} with the scope ${scope}.`);
    }
  }

  /** Counts the request against the account's rolling minute, here or with those of other gateways. */
  allowance(caller: Caller, now: number): Promise<void> | undefined {
    const { keyring, shared } = this.#options;
    if (shared) return this.#sharedAllowance(shared, caller, now);
    if (keyring.take(caller, now)) return undefined;
    throw exhausted(caller, now);
  }

  async #sharedAllowance(shared: Pick<SharedAllowance, 'take'>, caller: Caller, now: number): Promise<void> {
    const { account } = caller;
    const taken = await shared.take(countedAs(caller), account.minute.limit);
    account.minute.mirror(taken, now);
    if (!taken.allowed) throw exhausted(caller, now);
    this.#options.keyring.counted(caller, now);
  }

  /** The caller behind the cookie; null where there is no cookie. */
  #session(request: Request, peers: PeerLookup, now: number): Caller | null {
    const token = this.token(request, peers);
    if (token === null) return null;
    this.ownPage(request, peers, request.method !== 'GET' && request.method !== 'HEAD');
    const caller = this.#options.keyring.sessions.authenticate(token, now);
    if (caller) return caller;
    throw new ApiError('invalid_session', 'The session has ended: sign in again.', {
      headers: { 'Set-Cookie': endedCookie(this.secure(request, peers)) },
    });
  }

  /**
   * Whether a page of ours is behind the request, as far as it says; `surely`: it must say so. Browsers set both headers
   * themselves, and no page can change them. `none` is a person's own doing, such as an address typed in.
   */
  #isOwnPage(request: Request, peers: PeerLookup, surely: boolean): boolean {
    const site = request.headers.get('sec-fetch-site');
    if (site !== null) return site === 'same-origin' || (site === 'none' && !surely);
    const origin = request.headers.get('origin');
    return origin === null ? !surely : origin === this.origin(request, peers);
  }
}

/** What a caller's requests and streams count against, over all gateways. */
export const countedAs = ({ session, keyId, account }: Caller): string =>
  session ? `session ${keyId}` : account.publicId;

function exhausted(caller: Caller, now: number): ApiError {
  const { minute } = caller.account;
  const seconds = String(Math.ceil(minute.resetMs(now) / 1000));
  return new ApiError(
    'rate_limited',
    `${caller.session ? 'A session' : `The ${caller.account.tierName} tier`} allows ${minute.limit} requests in ${WINDOW_MS / 1000} seconds; one is free again in ${seconds} s.`,
    { headers: { 'Retry-After': seconds } },
  );
}
