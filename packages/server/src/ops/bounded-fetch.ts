// One outgoing HTTP request with limits: how long it may take, how large its response may be, which addresses it may reach and
// which redirects it follows. Every failure has a name.
import { BodyTooLargeError, readBoundedBody } from './bounded-body.ts';
import { ACCEPTED_ENCODINGS, BadEncodingError, decodeBody } from './decode-body.ts';
import { failureReason, type PublicOnly, pinnedFetch } from './pinned-fetch.ts';
import { PrivateAddressError } from './public-address.ts';

export interface BoundedRequest {
  readonly method?: string;
  /** A function if they depend on the address, which a redirect changes. */
  readonly headers?: Readonly<Record<string, string>> | ((url: URL) => Readonly<Record<string, string>>);
  readonly body?: string | Uint8Array<ArrayBuffer> | ArrayBuffer;
  /** Ends the request early. */
  readonly signal?: AbortSignal | null | undefined;
  /** Milliseconds until the status arrives, again after each redirect. Default: no limit but `totalMs`. */
  readonly firstByteMs?: number;
  /** Milliseconds from the status to the end of the body. Default: no limit but `totalMs`. */
  readonly bodyMs?: number;
  /** Milliseconds for everything. Without it, `signal` must set the limit. */
  readonly totalMs?: number;
  /** Of the body, as sent and after decompression. */
  readonly maxBytes: number;
  /** Redirects that are followed. Beyond 0, one too many is a failure. Default: 0, a redirect is a response like any other. */
  readonly maxRedirects?: number;
  /** For addresses that others chose. Default: any address, resolved by the runtime, by the proxies of the environment. */
  readonly publicOnly?: PublicOnly;
  /** Default: that of the runtime. Not used with `publicOnly`. */
  readonly fetch?: Fetch | undefined;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type FetchFailure =
  | 'timeout'
  | 'stopped'
  | 'unreachable'
  | 'private_address'
  | 'bad_redirect'
  | 'too_many_redirects'
  | 'too_large'
  | 'bad_encoding';

/** Its message does not contain the URL, which may be secret. */
export class FetchError extends Error {
  override name = 'FetchError';
  readonly failure: FetchFailure;

  constructor(failure: FetchFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.failure = failure;
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** It must be disposed of: that ends its limits, and its connection if the body was not read. */
export interface BoundedResponse extends Disposable, Pick<Response, 'status' | 'ok' | 'headers'> {
  /** After redirects. */
  readonly url: URL;
  /** Target of the permanent redirects at the beginning; `null` if there were none. */
  readonly movedTo: string | null;
  /** The body without its Content-Encoding. All three reject with a `FetchError`. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  text(): Promise<string>;
  /** The body in parts, as sent. Each must come within this time. */
  parts(idleMs: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>;
}

/** Rejects with a `FetchError`. */
export async function boundedFetch(address: string | URL, request: BoundedRequest): Promise<BoundedResponse> {
  const { signal: given, totalMs, bodyMs, maxBytes } = request;
  const abort = new AbortController();
  const timers: Timer[] = [];
  const limit = (ms: number | undefined, missed: string): Timer | undefined => {
    if (ms === undefined) return undefined;
    const timer = setTimeout(() => abort.abort(new FetchError('timeout', `${missed} within ${ms} ms`)), ms);
    timers.push(timer);
    return timer;
  };
  const stop = (): void => abort.abort(new FetchError('stopped', 'stopped', given?.reason));
  const close = (): void => {
    for (const timer of timers) clearTimeout(timer);
    given?.removeEventListener('abort', stop);
    // Closes the connection if a body is still arriving.
    abort.abort();
  };
  const named = (error: unknown): FetchError =>
    abort.signal.aborted ? abort.signal.reason : failureOf(error, maxBytes);
  given?.addEventListener('abort', stop);
  if (given?.aborted) stop();
  limit(totalMs, 'not complete');
  try {
    const { response, url, movedTo } = await follow(new URL(address), request, abort.signal, limit);
    limit(bodyMs, 'not complete');
    const { status, ok, headers, body } = response;
    const bytes = async (): Promise<Uint8Array<ArrayBuffer>> => {
      try {
        return await decodeBody(await readBoundedBody(response, maxBytes), headers.get('content-encoding'), maxBytes);
      } catch (error) {
        throw named(error);
      }
    };
    const text = async (): Promise<string> => new TextDecoder().decode(await bytes());
    async function* parts(idleMs: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
      let size = 0;
      let timer = limit(idleMs, 'nothing came');
      try {
        for await (const part of body ?? []) {
          clearTimeout(timer);
          size += part.byteLength;
          if (size > maxBytes) throw new BodyTooLargeError();
          yield part;
          timer = limit(idleMs, 'nothing came');
        }
      } catch (error) {
        throw named(error);
      } finally {
        clearTimeout(timer);
      }
    }
    return { url, movedTo, status, ok, headers, bytes, text, parts, [Symbol.dispose]: close };
  } catch (error) {
    const failure = named(error);
    close();
    throw failure;
  }
}

function failureOf(error: unknown, maxBytes: number): FetchError {
  if (error instanceof FetchError) return error;
  if (error instanceof PrivateAddressError) return new FetchError('private_address', error.message, error);
  if (error instanceof BodyTooLargeError) return new FetchError('too_large', `more than ${maxBytes} bytes`, error);
  if (error instanceof BadEncodingError) return new FetchError('bad_encoding', error.message, error);
  return new FetchError('unreachable', failureReason(error), error);
}

interface Followed extends Pick<BoundedResponse, 'url' | 'movedTo'> {
  readonly response: Response;
}

async function follow(
  first: URL,
  request: BoundedRequest,
  signal: AbortSignal,
  limit: (ms: number | undefined, missed: string) => Timer | undefined,
): Promise<Followed> {
  const { firstByteMs, maxRedirects = 0 } = request;
  let url = first;
  let movedTo: string | null = null;
  let permanent = true;
  for (let hop = 0; ; hop++) {
    const timer = limit(firstByteMs, 'no response');
    const response = await send(url, request, signal).finally(() => clearTimeout(timer));
    const { status, headers } = response;
    if (maxRedirects === 0 || !REDIRECTS.has(status)) return { response, url, movedTo };
    const next = redirectOf(url, headers.get('location'));
    if (hop === maxRedirects) throw new FetchError('too_many_redirects', `more than ${maxRedirects} redirects`);
    permanent &&= status === 301 || status === 308;
    if (permanent) movedTo = next.href;
    url = next;
  }
}

/** Where a redirect leads, if it may be followed. */
function redirectOf(from: URL, location: string | null): URL {
  const next = location === null ? null : URL.parse(location, from);
  const bad = (detail: string): FetchError => new FetchError('bad_redirect', detail);
  if (!next) throw bad('a redirect without a valid location');
  if (!/^https?:$/.test(next.protocol)) throw bad(`a redirect to ${next.protocol}`);
  if (from.protocol === 'https:' && next.protocol === 'http:')
    throw bad(`a redirect from https to http://${next.host}`);
  if (next.username || next.password) throw bad('a redirect with credentials');
  next.hash = '';
  return next;
}

function send(url: URL, request: BoundedRequest, signal: AbortSignal): Promise<Response> {
  const { method = 'GET', headers = {}, body, publicOnly } = request;
  const given = typeof headers === 'function' ? headers(url) : headers;
  const init = {
    method,
    headers: { 'Accept-Encoding': ACCEPTED_ENCODINGS, ...given },
    ...(body !== undefined && { body }),
    signal,
  };
  if (publicOnly) return pinnedFetch(url, init, publicOnly);
  // The runtime would decompress without a limit.
  return (request.fetch ?? fetch)(url.href, { ...init, redirect: 'manual', decompress: false } as RequestInit);
}
