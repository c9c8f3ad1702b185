// One polite GET of a feed: conditional, bounded in time and size, redirects followed by hand and each checked. The address
// that was checked is the address that is connected to, so a name that changes its mind in between (DNS rebinding) gains
// nothing. Never throws: what went wrong has a name.
import { isIP } from 'node:net';
import manifest from '../../../package.json' with { type: 'json' };
import { retryAfterMs } from '../../feeds/venues/rest.ts';
import { PrivateAddress, publicAddresses, type Resolve, resolveAll } from './address.ts';
import { MAX_FEED_BYTES } from './feed-reading.ts';
import { type ProxySettings, proxyFor } from './proxies.ts';
import { ACCEPTED_ENCODINGS, BodyError, readBody } from './read-body.ts';

export const MAX_REDIRECTS = 5;
/** Addresses of a host that are tried before it counts as unreachable. */
const MAX_ADDRESSES = 3;
const MAX_VALIDATOR = 1_024;

export const FETCH_LIMITS = { maxBytes: MAX_FEED_BYTES, totalMs: 20_000, firstByteMs: 10_000 };

/** What a publisher said of the version we have; only good for the address it was said at. */
export interface Validators {
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export type FailureName =
  | 'timeout'
  | 'unreachable'
  | 'private_address'
  | 'bad_redirect'
  | 'too_many_redirects'
  | 'bad_status'
  | 'too_large'
  | 'bad_encoding'
  | 'stopped';

export type Fetched =
  | {
      readonly kind: 'feed';
      readonly bytes: Uint8Array;
      readonly contentType: string | null;
      readonly url: string;
      readonly validators: Validators;
      readonly movedTo: string | null;
    }
  | { readonly kind: 'unchanged'; readonly movedTo: string | null }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly name: FailureName; readonly detail: string; readonly retryAfterMs: number };

export interface FetchFeedOptions {
  readonly url: string;
  readonly validators?: Validators | null;
  /** The one host, with its port, that may be private: the operator named it. */
  readonly ownHost?: string | null;
  readonly contact?: string | null;
  readonly proxies?: ProxySettings;
  readonly signal?: AbortSignal;
  readonly limits?: typeof FETCH_LIMITS;
  readonly resolve?: Resolve;
  /** Certificates to trust beyond the usual ones. */
  readonly ca?: string;
}

export async function fetchFeed(options: FetchFeedOptions): Promise<Fetched> {
  const { signal, limits = FETCH_LIMITS } = options;
  const cut = new AbortController();
  const total = setTimeout(() => cut.abort(`no end within ${limits.totalMs} ms`), limits.totalMs);
  const stop = (): void => cut.abort('stopped');
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    return await follow(options, limits, cut);
  } catch (error) {
    if (cut.signal.aborted) return failed(signal?.aborted ? 'stopped' : 'timeout', String(cut.signal.reason));
    if (error instanceof PrivateAddress) return failed('private_address', error.message);
    if (error instanceof BodyError) return failed(error.reason, error.message);
    return failed('unreachable', reasonOf(error));
  } finally {
    clearTimeout(total);
    signal?.removeEventListener('abort', stop);
    // Whatever is still coming in is not wanted any more.
    cut.abort('done');
  }
}

async function follow(options: FetchFeedOptions, limits: typeof FETCH_LIMITS, cut: AbortController): Promise<Fetched> {
  let url = new URL(options.url);
  let movedTo: string | null = null;
  let permanent = true;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const slow = `no answer within ${limits.firstByteMs} ms`;
    const timer = setTimeout(() => cut.abort(slow), limits.firstByteMs);
    const response = await ask(url, options, cut.signal).finally(() => clearTimeout(timer));
    const { status, headers } = response;
    if (![301, 302, 303, 307, 308].includes(status)) {
      return await answered(response, url, movedTo, options.validators?.url === url.href, limits);
    }
    const next = URL.parse(headers.get('location') ?? '', url);
    if (!next || !headers.has('location')) return failed('bad_redirect', 'a redirect to nowhere');
    if (!/^https?:$/.test(next.protocol)) return failed('bad_redirect', `a redirect to ${next.protocol}`);
    if (url.protocol === 'https:' && next.protocol === 'http:')
      return failed('bad_redirect', `a redirect from https to http://${next.host}`);
    if (next.username || next.password) return failed('bad_redirect', 'a redirect with a password in it');
    next.hash = '';
    permanent &&= status === 301 || status === 308;
    if (permanent) movedTo = next.href;
    url = next;
  }
  return failed('too_many_redirects', `more than ${MAX_REDIRECTS} redirects`);
}

/** One request. Directly: to an address that was just checked. Through a proxy: by name, for the proxy to resolve. */
async function ask(url: URL, options: FetchFeedOptions, signal: AbortSignal): Promise<Response> {
  const { validators, ownHost, contact, proxies = {}, resolve = resolveAll, ca } = options;
  const known = validators?.url === url.href ? validators : null;
  const headers = {
    'User-Agent': userAgent(contact ?? null),
    Accept: 'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5',
    'Accept-Encoding': ACCEPTED_ENCODINGS,
    ...(known?.etag && { 'If-None-Match': known.etag }),
    ...(known?.lastModified && { 'If-Modified-Since': known.lastModified }),
  };
  // A connection of its own: one that was opened for another name at the same address must not be used again.
  const init = { headers, signal, redirect: 'manual', decompress: false, keepalive: false } as const;
  const proxy = proxyFor(url, proxies);
  const allowPrivate = url.host === ownHost;
  if (proxy !== null) {
    // Names are the proxy's to resolve, and to refuse; what is written as an address is still ours.
    await publicAddresses(url.hostname, async (name) => (isLocalName(name) ? ['127.0.0.1'] : []), allowPrivate);
    return fetch(url, { ...init, proxy, ...(ca !== undefined && { tls: { ca } }) });
  }
  const addresses = await unlessAborted(publicAddresses(url.hostname, resolve, allowPrivate), signal);
  let reason: unknown = new Error(`${url.hostname} has no address`);
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    const pinned = new URL(url);
    pinned.hostname = isIP(address) === 6 ? `[${address}]` : address;
    const named = isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) === 0;
    const tls = { ...(named && { serverName: url.hostname }), ...(ca !== undefined && { ca }) };
    try {
      // `proxy: false`: the environment's variables were weighed above, and a proxy must not be sent to an address.
      const direct = { ...init, headers: { ...headers, Host: url.host }, tls, proxy: false };
      return await fetch(pinned, direct as unknown as BunFetchRequestInit);
    } catch (error) {
      if (signal.aborted) throw error;
      reason = error;
    }
  }
  throw reason;
}

async function answered(
  response: Response,
  url: URL,
  movedTo: string | null,
  conditional: boolean,
  { maxBytes }: typeof FETCH_LIMITS,
): Promise<Fetched> {
  const { status, headers } = response;
  if (status === 304 && conditional) return { kind: 'unchanged', movedTo };
  if (status === 410) return { kind: 'gone' };
  if (status !== 200) return failed('bad_status', `status ${status}`, retryAfterMs(headers.get('retry-after')));
  const validator = (name: string): string | null => {
    const value = headers.get(name);
    return value !== null && value.length <= MAX_VALIDATOR ? value : null;
  };
  const validators = { url: url.href, etag: validator('etag'), lastModified: validator('last-modified') };
  const bytes = await readBody(response, maxBytes);
  return { kind: 'feed', bytes, contentType: headers.get('content-type'), url: url.href, validators, movedTo };
}

/** Who asks, and whom to tell where it asks too much. */
export const userAgent = (contact: string | null): string =>
  `Tickwire/${manifest.version} (news reader; contact: ${contact ?? 'the operator of this address'})`;

const failed = (name: FailureName, detail: string, retryAfter = 0): Fetched => ({
  kind: 'failed',
  name,
  detail,
  retryAfterMs: retryAfter,
});

const isLocalName = (name: string): boolean => /(^|\.)(localhost|local|internal|localdomain)$/i.test(name);

/** Without the runtime's advice, and without the address, which the reader knows. */
const reasonOf = (error: unknown): string => {
  const { code, message } = error as { code?: unknown; message?: string };
  const text = (message ?? String(error)).replace(/ fetching .*$| For more information.*$/s, '');
  return (typeof code === 'string' && !text.includes(code) ? `${code}: ${text}` : text).slice(0, 200);
};

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(String(signal.reason))), { once: true });
    work.then(resolve, reject);
  });
}
