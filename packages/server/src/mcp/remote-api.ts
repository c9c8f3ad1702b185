// The REST API of a running service over HTTP, for `tickwire mcp`.
import { boundedFetch } from '../ops/bounded-fetch.ts';
import { type Service, ToolError } from './service.ts';

const TIMEOUT_MS = 30_000;
/** A tool reads at most 10,000 bars at once. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

export interface RemoteApiOptions {
  /** Address of the service, with or without a path before `/api`. */
  readonly url: string;
  readonly key: string;
  readonly timeoutMs?: number;
}

export const remoteApi = ({ url, key, timeoutMs = TIMEOUT_MS }: RemoteApiOptions): Service => ({
  async request(path, { method = 'GET', body, headers = {} } = {}) {
    try {
      // A redirect is not followed: it could carry the key to another origin.
      using response = await boundedFetch(url.replace(/\/+$/, '') + path, {
        method,
        ...(body !== undefined && { body }),
        headers: { ...headers, 'X-API-Key': key },
        totalMs: timeoutMs,
        maxBytes: MAX_BODY_BYTES,
      });
      const text = await response.text();
      return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
    } catch (error) {
      throw new ToolError(`The Tickwire service at ${url} cannot be reached: ${(error as Error).message}.`);
    }
  },
});
