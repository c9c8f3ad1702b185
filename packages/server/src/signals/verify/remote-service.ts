// Requests to the service whose log is verified: waits while it limits requests, and limits what it may send.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BoundedRequest, type BoundedResponse, boundedFetch, FetchError } from '../../ops/bounded-fetch.ts';
import { gzipChunks } from '../../ops/gzip-stream.ts';
import { retryAfterMs } from '../../ops/retry-after.ts';

/** For the headers of a response, and for each part of a file. */
const TIMEOUT_MS = 30_000;
/** For a page. */
const PAGE_MS = 10 * TIMEOUT_MS;
/** Wait after a 429 without Retry-After. */
const DEFAULT_WAIT_MS = 5_000;
const MAX_WAIT_MS = 120_000;
const MAX_ATTEMPTS = 10;
/** Of a page of the log or of heads. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;
/** Of a day of the tape, compressed. */
const MAX_FILE_BYTES = 4 * 1024 * 1024 * 1024;

/** The remote service could not be read. */
export class RemoteError extends Error {
  override name = 'RemoteError';
}

export interface RemoteOptions {
  readonly url: string;
  readonly key: string;
  readonly wait?: (ms: number) => Promise<void>;
}

export class RemoteService {
  readonly url: string;
  readonly #key: string;
  readonly #wait: (ms: number) => Promise<void>;

  constructor({ url, key, wait = Bun.sleep }: RemoteOptions) {
    this.url = url;
    this.#key = key;
    this.#wait = wait;
  }

  /** The JSON at a path; `undefined` if it is not JSON, or `null` if the path does not exist. */
  async json(path: string): Promise<unknown> {
    using response = await this.#get(path, { bodyMs: PAGE_MS, maxBytes: MAX_PAGE_BYTES });
    if (response === null) return null;
    const text = await response.text().catch((error: FetchError) => this.#unread(error));
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  /** Writes the body to a file in gzip. Returns the headers; `null` if there is nothing at the path. */
  async download(path: string, file: string): Promise<Headers | null> {
    using response = await this.#get(path, { headers: { 'Accept-Encoding': 'gzip' }, maxBytes: MAX_FILE_BYTES });
    if (response === null) return null;
    const coding = response.headers.get('content-encoding') ?? 'identity';
    if (coding !== 'gzip' && coding !== 'identity')
      throw new RemoteError(`${this.url} sent ${path} with the encoding ${coding}, which was not requested`);
    const parts = response.parts(TIMEOUT_MS);
    await pipeline(Readable.from(coding === 'gzip' ? parts : gzipChunks(parts)), createWriteStream(file)).catch(
      (error) => this.#unread(error),
    );
    return response.headers;
  }

  /** `null` for a 404. */
  async #get(path: string, request: BoundedRequest): Promise<BoundedResponse | null> {
    const { url } = this;
    const headers = { ...request.headers, 'X-API-Key': this.#key };
    for (let attempt = 1; ; attempt++) {
      // Redirects are not followed: one could carry the key to another origin.
      const response = await boundedFetch(new URL(path, url), { ...request, headers, firstByteMs: TIMEOUT_MS }).catch(
        (error: FetchError) => this.#unread(error),
      );
      if (response.ok) return response;
      response[Symbol.dispose]();
      const { status } = response;
      if (status === 404) return null;
      if (status === 401 || status === 403)
        throw new RemoteError(`${url} rejects the key (${status}): set TICKWIRE_API_KEY to a key with the scope read`);
      const retryAfter = retryAfterMs(response.headers.get('retry-after'));
      const mayRetry = status === 429 || (status === 503 && retryAfter !== null);
      if (!mayRetry || attempt >= MAX_ATTEMPTS)
        throw new RemoteError(`${url} responded with status ${status} to ${path}`);
      await this.#wait(Math.min(MAX_WAIT_MS, Math.max(1_000, retryAfter ?? DEFAULT_WAIT_MS)));
    }
  }

  #unread(error: unknown): never {
    if (!(error instanceof FetchError)) throw error;
    const { failure, message } = error;
    throw new RemoteError(`${this.url} ${failure === 'too_large' ? 'sent' : 'does not respond:'} ${message}`);
  }
}
