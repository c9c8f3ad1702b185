// The only place from which deliveries send HTTP. Private and link-local addresses are refused, the connection goes to the
// address that was checked, redirects are not followed, and time and sizes are bounded. Never throws.
import { isIP } from 'node:net';
import manifest from '../../package.json' with { type: 'json' };
import type { ProxySettings } from '../config/proxy.ts';
import { type BoundedResponse, boundedFetch, type FetchError } from '../ops/bounded-fetch.ts';
import { isLocalName, unlessAborted } from '../ops/pinned-fetch.ts';
import { PrivateAddressError, publicAddresses, type ResolveHost, resolveAll } from '../ops/public-address.ts';

export const OUTGOING_LIMITS = {
  requestBytes: 256 * 1024,
  responseBytes: 64 * 1024,
  /** Until the status arrives. */
  totalMs: 10_000,
  /** From the status to the end of the body. */
  bodyMs: 2_000,
  /** For the check of a new address. */
  resolveMs: 3_000,
};

const USER_AGENT = `Tickwire/${manifest.version}`;

export interface OutgoingHttpOptions {
  readonly allowPrivate: boolean;
  readonly proxies?: ProxySettings;
  readonly resolve?: ResolveHost;
  /** Additional trusted certificates. */
  readonly ca?: string;
  readonly limits?: Partial<typeof OUTGOING_LIMITS>;
}

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Default: none. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
  /** The operator chose the address: it may be private. */
  readonly ownServer?: boolean;
  /** Instead of the defaults. */
  readonly totalMs?: number;
  readonly responseBytes?: number;
}

export interface OutgoingPost extends Omit<OutgoingRequest, 'method'> {
  readonly body: string | Uint8Array<ArrayBuffer>;
}

export type HttpAnswer =
  /** `text` is empty if the body was too large, too slow or cut off. */
  | { readonly kind: 'answer'; readonly status: number; readonly headers: Headers; readonly text: string }
  /** May succeed another time. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The address or the request is not acceptable. */
  | { readonly kind: 'refused'; readonly reason: string };

export class OutgoingHttp {
  readonly #options: OutgoingHttpOptions;
  readonly #limits: typeof OUTGOING_LIMITS;

  constructor(options: OutgoingHttpOptions) {
    this.#options = options;
    this.#limits = { ...OUTGOING_LIMITS, ...options.limits };
  }

  /** Why an address is not acceptable as a destination; `null` if it is. A name that cannot be resolved now is acceptable. */
  async refusalOf(address: string): Promise<string | null> {
    const url = URL.parse(address);
    const refusal = formRefusal(url);
    if (refusal !== null || this.#options.allowPrivate) return refusal;
    const { hostname } = url!;
    if (isLocalName(hostname.replace(/\.$/, ''))) return PRIVATE;
    const tooLong = new AbortController();
    const timer = setTimeout(() => tooLong.abort('the resolver does not answer'), this.#limits.resolveMs);
    try {
      await unlessAborted(publicAddresses(hostname, this.#options.resolve ?? resolveAll, false), tooLong.signal);
      return null;
    } catch (error) {
      return error instanceof PrivateAddressError ? PRIVATE : null;
    } finally {
      clearTimeout(timer);
    }
  }

  post(post: OutgoingPost): Promise<HttpAnswer> {
    return this.request({ ...post, method: 'POST' });
  }

  async request(request: OutgoingRequest): Promise<HttpAnswer> {
    const { totalMs = this.#limits.totalMs, responseBytes = this.#limits.responseBytes, body = '' } = request;
    const url = URL.parse(request.url);
    const refusal = formRefusal(url);
    if (refusal !== null) return { kind: 'refused', reason: refusal };
    const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
    if (bytes > this.#limits.requestBytes)
      return { kind: 'refused', reason: `the message has more than ${this.#limits.requestBytes} bytes` };
    try {
      using response = await this.#send(url!, request, totalMs, responseBytes);
      // The status decides; a body that cannot be read is left out.
      const text = await response.text().catch(() => '');
      return { kind: 'answer', status: response.status, headers: response.headers, text };
    } catch (error) {
      const { failure, message } = error as FetchError;
      // A name may resolve to a private address because of a fault of the resolver; a literal address stays what it is.
      if (failure === 'private_address')
        return { kind: isLiteral(url!.hostname) ? 'refused' : 'failed', reason: PRIVATE };
      return { kind: 'failed', reason: message };
    }
  }

  #send(url: URL, request: OutgoingRequest, firstByteMs: number, maxBytes: number): Promise<BoundedResponse> {
    const { method, headers, body, signal, ownServer = false } = request;
    const { allowPrivate, proxies, resolve, ca } = this.#options;
    return boundedFetch(url, {
      method,
      headers: { 'User-Agent': USER_AGENT, 'Accept-Encoding': 'identity', ...headers },
      ...(body !== undefined && { body }),
      signal,
      firstByteMs,
      bodyMs: this.#limits.bodyMs,
      maxBytes,
      publicOnly: { allowPrivate: () => allowPrivate || ownServer, proxies, resolve, ca },
    });
  }
}

const isLiteral = (hostname: string): boolean => isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;

/** Without the address, which would tell users about the network of the service. */
const PRIVATE = 'its host has a private address, and the operator has not set TICKWIRE_DELIVERY_ALLOW_PRIVATE';

function formRefusal(url: URL | null): string | null {
  if (!url || !/^https?:$/.test(url.protocol)) return 'it is not an http or https address';
  return url.username === '' && url.password === '' ? null : 'its address contains a user name or a password';
}
