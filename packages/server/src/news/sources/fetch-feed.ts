// One conditional GET of a feed, limited in time and size. Redirects are followed here, and each target is checked. The
// connection goes to the address that was checked, which prevents DNS rebinding. Never throws: every failure has a name.
import manifest from '../../../package.json' with { type: 'json' };
import type { ProxySettings } from '../../config/proxy.ts';
import { failureReason, pinnedFetch } from '../../ops/pinned-fetch.ts';
import { PrivateAddressError, type ResolveHost, resolveAll } from '../../ops/public-address.ts';
import { retryAfterMs } from '../../ops/retry-after.ts';
import { ACCEPTED_ENCODINGS, FeedBodyError, readFeedBody } from './feed-body.ts';
import { MAX_FEED_BYTES } from './parsed-feed.ts';

export const MAX_REDIRECTS = 5;
const MAX_VALIDATOR = 1_024;

export const FETCH_LIMITS = { maxBytes: MAX_FEED_BYTES, totalMs: 20_000, firstByteMs: 10_000 };

/** Cache validators of the last response; valid only for its URL. */
export interface Validators {
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export type FetchFailure =
  | 'timeout'
  | 'unreachable'
  | 'private_address'
  | 'bad_redirect'
  | 'too_many_redirects'
  | 'bad_status'
  | 'too_large'
  | 'bad_encoding'
  | 'stopped';

export interface FetchedDocument {
  readonly kind: 'feed';
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  readonly url: string;
  readonly validators: Validators;
  readonly movedTo: string | null;
}

export type FetchResult =
  | FetchedDocument
  | { readonly kind: 'unchanged'; readonly movedTo: string | null }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly name: FetchFailure; readonly detail: string; readonly retryAfterMs: number };

export interface FetchFeedOptions {
  readonly url: string;
  readonly validators?: Validators | null;
  /** The only host (with port) that may be private, because the operator named it. */
  readonly ownHost?: string | null;
  readonly contact?: string | null;
  readonly proxies?: ProxySettings;
  readonly signal?: AbortSignal;
  readonly limits?: typeof FETCH_LIMITS;
  readonly resolve?: ResolveHost;
  /** Additional trusted certificates. */
  readonly ca?: string;
  /** Header `Accept`. Default: formats of feeds. */
  readonly accept?: string;
}

const ACCEPT = 'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5';

export async function fetchFeed(options: FetchFeedOptions): Promise<FetchResult> {
  const { signal, limits = FETCH_LIMITS } = options;
  const abort = new AbortController();
  const total = setTimeout(() => abort.abort(`not complete within ${limits.totalMs} ms`), limits.totalMs);
  const stop = (): void => abort.abort('stopped');
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    return await follow(options, limits, abort);
  } catch (error) {
    if (abort.signal.aborted) return failed(signal?.aborted ? 'stopped' : 'timeout', String(abort.signal.reason));
    if (error instanceof PrivateAddressError) return failed('private_address', error.message);
    if (error instanceof FeedBodyError) return failed(error.reason, error.message);
    return failed('unreachable', failureReason(error));
  } finally {
    clearTimeout(total);
    signal?.removeEventListener('abort', stop);
    // Closes the connection if a body is still arriving.
    abort.abort('done');
  }
}

async function follow(
  options: FetchFeedOptions,
  limits: typeof FETCH_LIMITS,
  abort: AbortController,
): Promise<FetchResult> {
  let url = new URL(options.url);
  let movedTo: string | null = null;
  let permanent = true;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const timeout = `no response within ${limits.firstByteMs} ms`;
    const timer = setTimeout(() => abort.abort(timeout), limits.firstByteMs);
    const response = await request(url, options, abort.signal).finally(() => clearTimeout(timer));
    const { status, headers } = response;
    if (![301, 302, 303, 307, 308].includes(status)) {
      return await readResponse(response, url, movedTo, options.validators?.url === url.href, limits);
    }
    const next = URL.parse(headers.get('location') ?? '', url);
    if (!next || !headers.has('location')) return failed('bad_redirect', 'a redirect without a valid location');
    if (!/^https?:$/.test(next.protocol)) return failed('bad_redirect', `a redirect to ${next.protocol}`);
    if (url.protocol === 'https:' && next.protocol === 'http:')
      return failed('bad_redirect', `a redirect from https to http://${next.host}`);
    if (next.username || next.password) return failed('bad_redirect', 'a redirect with credentials');
    next.hash = '';
    permanent &&= status === 301 || status === 308;
    if (permanent) movedTo = next.href;
    url = next;
  }
  return failed('too_many_redirects', `more than ${MAX_REDIRECTS} redirects`);
}

function request(url: URL, options: FetchFeedOptions, signal: AbortSignal): Promise<Response> {
  const { validators, ownHost, contact, proxies = {}, resolve = resolveAll, ca, accept = ACCEPT } = options;
  const known = validators?.url === url.href ? validators : null;
  const headers = {
    'User-Agent': userAgent(contact ?? null),
    Accept: accept,
    'Accept-Encoding': ACCEPTED_ENCODINGS,
    ...(known?.etag && { 'If-None-Match': known.etag }),
    ...(known?.lastModified && { 'If-Modified-Since': known.lastModified }),
  };
  return pinnedFetch(url, { headers, signal, allowPrivate: url.host === ownHost, proxies, resolve, ca });
}

async function readResponse(
  response: Response,
  url: URL,
  movedTo: string | null,
  conditional: boolean,
  { maxBytes }: typeof FETCH_LIMITS,
): Promise<FetchResult> {
  const { status, headers } = response;
  if (status === 304 && conditional) return { kind: 'unchanged', movedTo };
  if (status === 410) return { kind: 'gone' };
  if (status !== 200) return failed('bad_status', `status ${status}`, retryAfterMs(headers.get('retry-after')) ?? 0);
  const validator = (name: string): string | null => {
    const value = headers.get(name);
    return value !== null && value.length <= MAX_VALIDATOR ? value : null;
  };
  const validators = { url: url.href, etag: validator('etag'), lastModified: validator('last-modified') };
  const bytes = await readFeedBody(response, maxBytes);
  return { kind: 'feed', bytes, contentType: headers.get('content-type'), url: url.href, validators, movedTo };
}

export const userAgent = (contact: string | null): string =>
  `Tickwire/${manifest.version} (news reader; contact: ${contact ?? 'the operator of this address'})`;

const failed = (name: FetchFailure, detail: string, retryAfter = 0): FetchResult => ({
  kind: 'failed',
  name,
  detail,
  retryAfterMs: retryAfter,
});
