// One conditional GET of a document, limited in time and size. Redirects are followed, and each target must be public. Never
// throws: every failure has a name.
import manifest from '../../package.json' with { type: 'json' };
import type { ProxySettings } from '../config/proxy.ts';
import { type BoundedResponse, boundedFetch, FetchError, type FetchFailure } from '../ops/bounded-fetch.ts';
import type { ResolveHost } from '../ops/public-address.ts';
import { retryAfterMs } from '../ops/retry-after.ts';
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

export type DocumentFailure = FetchFailure | 'bad_status';

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
  | { readonly kind: 'failed'; readonly name: DocumentFailure; readonly detail: string; readonly retryAfterMs: number };

export interface FetchDocumentOptions {
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

export async function fetchDocument(options: FetchDocumentOptions): Promise<FetchResult> {
  const { ownHost, proxies, resolve, ca, signal, limits = FETCH_LIMITS } = options;
  try {
    using response = await boundedFetch(options.url, {
      ...limits,
      headers: (url) => requestHeaders(url, options),
      signal,
      maxRedirects: MAX_REDIRECTS,
      publicOnly: { allowPrivate: ({ host }) => host === ownHost, proxies, resolve, ca },
    });
    return await readResponse(response, options.validators?.url === response.url.href);
  } catch (error) {
    if (error instanceof FetchError) return failed(error.failure, error.message);
    throw error;
  }
}

function requestHeaders(url: URL, { validators, contact, accept = ACCEPT }: FetchDocumentOptions) {
  const known = validators?.url === url.href ? validators : null;
  return {
    'User-Agent': userAgent(contact ?? null),
    Accept: accept,
    ...(known?.etag && { 'If-None-Match': known.etag }),
    ...(known?.lastModified && { 'If-Modified-Since': known.lastModified }),
  };
}

async function readResponse(response: BoundedResponse, conditional: boolean): Promise<FetchResult> {
  const { status, headers, movedTo } = response;
  const url = response.url.href;
  if (status === 304 && conditional) return { kind: 'unchanged', movedTo };
  if (status === 410) return { kind: 'gone' };
  if (status !== 200) return failed('bad_status', `status ${status}`, retryAfterMs(headers.get('retry-after')) ?? 0);
  const validator = (name: string): string | null => {
    const value = headers.get(name);
    return value !== null && value.length <= MAX_VALIDATOR ? value : null;
  };
  const validators = { url, etag: validator('etag'), lastModified: validator('last-modified') };
  const bytes = await response.bytes();
  return { kind: 'feed', bytes, contentType: headers.get('content-type'), url, validators, movedTo };
}

export const userAgent = (contact: string | null): string =>
  `Tickwire/${manifest.version} (news reader; contact: ${contact ?? 'the operator of this address'})`;

const failed = (name: DocumentFailure, detail: string, retryAfter = 0): FetchResult => ({
  kind: 'failed',
  name,
  detail,
  retryAfterMs: retryAfter,
});
