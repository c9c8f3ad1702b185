// The checks in front of every endpoint, in this order: key or session (401), scope (403), allowance (429). A session
// cookie is accepted only if the request comes from a page of this service.
import type { Scope } from '@tickwire/contract';
import { ServiceError } from '../errors/service-error.ts';
import type { RateLimiter } from '../work/rate-limiter.ts';
import { type AddressLimits, MAX_OPEN_BODIES } from './address-limits.ts';
import { type AddressOf, callerNetwork } from './client-address.ts';
import type { Caller, Keyring } from './keyring.ts';
import type { OriginOf } from './public-origin.ts';
import type { SharedRequests } from './quota.ts';
import { expiredSessionCookie, readSessionCookie } from './session-cookie.ts';

export interface GuardOptions {
  readonly keyring: Keyring;
  /** Invalid keys by network of the client. Beyond the limit, further ones get a 429; valid keys are not affected. */
  readonly failures: RateLimiter;
  readonly addressLimits: AddressLimits;
  readonly addressOf: AddressOf;
  readonly originOf: OriginOf;
  /** Counts requests over all gateways of a cluster; omitted in a single process. */
  readonly shared?: SharedRequests;
}

export interface PeerLookup {
  requestIP(request: Request): { readonly address: string } | null;
  /** Changes how long a request may be idle; 0 for any time. */
  timeout?(request: Request, seconds: number): void;
}

const BEARER = /^Bearer +(\S+)$/i;
const INVALID_KEY = 'The API key is unknown, expired or revoked. Create a new one under Settings › API keys.';
const INVALID_LINK = 'The link is unknown, expired or revoked. Create a new one.';

export class Guard {
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  address(request: Request, peers: PeerLookup): string {
    return this.#options.addressOf(peers.requestIP(request)?.address, request.headers.get('x-forwarded-for'));
  }

  hasKey(request: Request): boolean {
    return keyOf(request) !== null;
  }

  /** The caller of a request, by its key or session cookie. Throws a 401, or a 429 after too many invalid keys. */
  authenticate(request: Request, peers: PeerLookup, now: number): Caller {
    const key = keyOf(request);
    if (key !== null) return this.authenticateKey(key, request, peers, now);
    const caller = this.#session(request, peers, now);
    if (!caller) throw new ServiceError('missing_key', 'Send your API key in the X-API-Key header, or sign in.');
    return caller;
  }

  /** The same for an endpoint that accepts no key. */
  authenticateSession(request: Request, peers: PeerLookup, now: number): Caller {
    const caller = this.#session(request, peers, now);
    if (!caller)
      throw new ServiceError('session_required', 'Sign in to use this endpoint. It does not accept API keys.');
    return caller;
  }

  /** The session of a WebSocket handshake; `null` without a cookie or from another origin, since a key may still follow. */
  authenticateStream(request: Request, peers: PeerLookup, now: number): Caller | null {
    if (this.sessionToken(request, peers) === null || !this.#isSameOrigin(request, peers, true)) return null;
    return this.#session(request, peers, now);
  }

  /** Throws if the request comes from a page of another origin. */
  requireSameOrigin(request: Request, peers: PeerLookup, mustSay: boolean): void {
    if (this.#isSameOrigin(request, peers, mustSay)) return;
    throw new ServiceError(
      'foreign_origin',
      'The request does not come from a page of this service. If a proxy is in front of it, set trusted_proxies or public_url.',
    );
  }

  /** The origin under which the client reached this service; '' if the request does not name one. */
  publicOrigin(request: Request, peers: PeerLookup): string {
    return this.#options.originOf(request, peers.requestIP(request)?.address);
  }

  /** Whether the client reached this service over HTTPS. */
  isHttps(request: Request, peers: PeerLookup): boolean {
    return this.publicOrigin(request, peers).startsWith('https:');
  }

  /** The token in the session cookie, or `null` if there is none. */
  sessionToken(request: Request, peers: PeerLookup): string | null {
    const cookies = request.headers.get('cookie');
    return cookies === null ? null : readSessionCookie(cookies, this.isHttps(request, peers));
  }

  /** The caller of a key, wherever the request carries it. */
  authenticateKey(key: string, request: Request, peers: PeerLookup, now: number): Caller {
    return this.#options.keyring.authenticate(key, now) ?? this.#fail(INVALID_KEY, request, peers, now);
  }

  /** The caller of a data link. */
  authenticateLink(token: string, request: Request, peers: PeerLookup, now: number): Caller {
    return this.#options.keyring.authenticateLink(token, now) ?? this.#fail(INVALID_LINK, request, peers, now);
  }

  /** Counts a failed authentication against the address. */
  #fail(detail: string, request: Request, peers: PeerLookup, now: number): never {
    const wait = this.#options.failures.take(callerNetwork(this.address(request, peers)), now);
    if (wait > 0) {
      const seconds = Math.ceil(wait / 1000);
      throw new ServiceError(
        'too_many_failures',
        `Too many invalid API keys came from this address. Try again in ${seconds} s.`,
        { retryAfterSeconds: seconds },
      );
    }
    throw new ServiceError('invalid_key', detail);
  }

  /** The caller of a webhook: the token in the path is a key with the scope `hook`, which allows nothing else. */
  authenticateHook(token: string, request: Request, peers: PeerLookup, now: number): Caller {
    const caller = this.authenticateKey(token, request, peers, now);
    this.requireScope(caller, 'hook');
    return caller;
  }

  requireScope(caller: Caller, scope: Scope): void {
    if (caller.scopes.has(scope)) return;
    const holder = caller.session ? 'an account' : 'an API key';
    throw new ServiceError('missing_scope', `This endpoint needs ${holder} with the scope ${scope}.`);
  }

  /** Counts a request without a key or session against its address. Throws a 429 over the limit. */
  countAddress(request: Request, peers: PeerLookup, now: number): void {
    const { addressLimits } = this.#options;
    const wait = addressLimits.request(this.address(request, peers), now);
    if (wait === 0) return;
    const seconds = Math.ceil(wait / 1000);
    throw new ServiceError(
      'too_many_requests',
      `An address may send ${addressLimits.requestsPerMinute} requests in 60 seconds without a key or session. Try again in ${seconds} s.`,
      { retryAfterSeconds: seconds },
    );
  }

  /** Counts a rejected request against its address. Returns its error, or a 429 over the limit. */
  counted(error: unknown, request: Request, peers: PeerLookup, now: number): unknown {
    try {
      this.countAddress(request, peers, now);
      return error;
    } catch (limited) {
      return limited;
    }
  }

  /**
   * Runs a handler that reads the body of a request without a key or session. Throws a 429 if the address already sends as
   * many bodies as it may at the same time.
   */
  async withOpenBody<T>(request: Request, peers: PeerLookup, work: () => T | Promise<T>): Promise<T> {
    const close = this.#options.addressLimits.openBody(this.address(request, peers));
    if (!close)
      throw new ServiceError(
        'too_many_requests',
        `An address may send ${MAX_OPEN_BODIES} requests with a body at the same time without a key or session.`,
        { retryAfterSeconds: 1 },
      );
    try {
      return await work();
    } finally {
      close();
    }
  }

  /** Counts the request against the caller's quota, in this process or over all gateways. Throws a 429 over the limit. */
  countRequest(caller: Caller, now: number): Promise<void> | undefined {
    const { keyring, shared } = this.#options;
    if (shared) return this.#countShared(shared, caller, now);
    if (keyring.takeRequest(caller, now)) return undefined;
    throw exhausted(caller, now);
  }

  async #countShared(shared: SharedRequests, caller: Caller, now: number): Promise<void> {
    const { name, requests } = caller.quota;
    const taken = await shared.take(name, requests.limit);
    requests.mirror(taken, now);
    if (!taken.allowed) throw exhausted(caller, now);
    this.#options.keyring.recordRequest(caller, now);
  }

  /** The caller of the session cookie; `null` without a cookie. */
  #session(request: Request, peers: PeerLookup, now: number): Caller | null {
    const token = this.sessionToken(request, peers);
    if (token === null) return null;
    this.requireSameOrigin(request, peers, request.method !== 'GET' && request.method !== 'HEAD');
    const caller = this.#options.keyring.sessions.authenticate(token, now);
    if (caller) return caller;
    throw new ServiceError('invalid_session', 'Your session has expired. Sign in again.', {
      headers: { 'Set-Cookie': expiredSessionCookie(this.isHttps(request, peers)) },
    });
  }

  /**
   * Whether the request comes from a page of this service. Browsers set both headers, and pages cannot change them. `none`
   * is a direct action of the user, such as typing an address. `mustSay`: reject a request without either header.
   */
  #isSameOrigin(request: Request, peers: PeerLookup, mustSay: boolean): boolean {
    const site = request.headers.get('sec-fetch-site');
    if (site !== null) return site === 'same-origin' || (site === 'none' && !mustSay);
    const origin = request.headers.get('origin');
    return origin === null ? !mustSay : origin === this.publicOrigin(request, peers);
  }
}

function exhausted({ quota: { grantedBy, requests } }: Caller, now: number): ServiceError {
  const seconds = Math.ceil(requests.resetMs(now) / 1000);
  return new ServiceError(
    'rate_limited',
    `${grantedBy} allows ${requests.limit} requests in 60 seconds. Try again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  );
}

/** The key of `X-API-Key`, or else of `Authorization: Bearer`; `null` if there is none. */
function keyOf({ headers }: Request): string | null {
  return headers.get('x-api-key') ?? BEARER.exec(headers.get('authorization') ?? '')?.[1] ?? null;
}
