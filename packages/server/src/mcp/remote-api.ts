// The REST API of a running service over HTTP, for `tickwire mcp`.
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
      const response = await fetch(url.replace(/\/+$/, '') + path, {
        method,
        ...(body !== undefined && { body }),
        headers: { ...headers, 'X-API-Key': key },
        // A redirect could carry the key to another origin.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (Number(response.headers.get('content-length') ?? 0) > MAX_BODY_BYTES)
        throw new Error(`the response has more than ${MAX_BODY_BYTES} bytes`);
      return response;
    } catch (error) {
      throw new ToolError(`The Tickwire service at ${url} cannot be reached: ${(error as Error).message}.`);
    }
  },
});
