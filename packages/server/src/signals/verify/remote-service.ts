// Requests to the service whose log is verified: waits while it limits requests, and limits what it may send.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipChunks } from '../../ops/gzip-stream.ts';
import { retryAfterMs } from '../../ops/retry-after.ts';

/** For the headers of a response, and for each part of its body. */
const TIMEOUT_MS = 30_000;
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
    const response = await this.#get(path);
    if (response === null) return null;
    const parts: Uint8Array[] = [];
    for await (const part of this.#parts(response, MAX_PAGE_BYTES)) parts.push(part);
    try {
      return JSON.parse(Buffer.concat(parts).toString('utf8'));
    } catch {
      return undefined;
    }
  }

  /** Writes the body to a file in gzip. Returns the headers; `null` if there is nothing at the path. */
  async download(path: string, file: string): Promise<Headers | null> {
    const response = await this.#get(path, { headers: { 'Accept-Encoding': 'gzip' }, decompress: false });
    if (response === null) return null;
    const coding = response.headers.get('content-encoding') ?? 'identity';
    if (coding !== 'gzip' && coding !== 'identity')
      throw new RemoteError(`${this.url} sent ${path} with the encoding ${coding}, which was not requested`);
    const parts = this.#parts(response, MAX_FILE_BYTES);
    await pipeline(Readable.from(coding === 'gzip' ? parts : gzipChunks(parts)), createWriteStream(file));
    return response.headers;
  }

  async *#parts(response: Response, maxBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = response.body?.getReader();
    let bytes = 0;
    try {
      while (reader) {
        const { value, done } = await this.#inTime(reader.read());
        if (done) return;
        bytes += value.byteLength;
        if (bytes > maxBytes) throw new RemoteError(`${this.url} sent more than ${maxBytes} bytes`);
        yield value;
      }
    } finally {
      await reader?.cancel().catch(() => {});
    }
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`nothing came for ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
    });
    try {
      return await Promise.race([work, late]);
    } catch (error) {
      throw new RemoteError(`${this.url} does not respond: ${(error as Error).message}`);
    } finally {
      clearTimeout(timer);
    }
  }

  /** `null` for a 404. */
  async #get(path: string, init: BunFetchRequestInit = {}): Promise<Response | null> {
    const { url } = this;
    for (let attempt = 1; ; attempt++) {
      const headers = { ...(init.headers as Record<string, string>), 'X-API-Key': this.#key };
      // A redirect could carry the key to another origin.
      const response = await this.#inTime(fetch(new URL(path, url), { ...init, headers, redirect: 'error' }));
      if (response.ok) return response;
      await response.body?.cancel();
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
}
