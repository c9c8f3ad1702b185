// The `fetch` of the OpenAI SDK: it sends only the necessary headers, follows no redirects, and reads the whole body within
// a size limit and the timeout of the call. (The SDK's own timeout ends with the response headers, so a server that sends
// its body slowly or without end would block the call forever.)
import { boundedFetch, FetchError } from '../ops/bounded-fetch.ts';

/** About a thousand times the size of a good response. */
const MAX_BODY_BYTES = 1 << 20;
const SENT_HEADERS = ['accept', 'authorization', 'content-type'];

export class LlmBodyError extends Error {
  override name = 'LlmBodyError';
}

/** `keyless`: the SDK requires a key; a server that needs none is sent none. */
export function createLlmFetch(
  keyless: boolean,
): (url: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (url, init = {}) => {
    const given = new Headers(init.headers);
    // The SDK adds headers that describe this machine, and others from the environment: neither may leave.
    const headers: Record<string, string> = { 'user-agent': 'Tickwire', 'accept-encoding': 'identity' };
    for (const name of SENT_HEADERS) {
      const value = given.get(name);
      if (value !== null && !(keyless && name === 'authorization')) headers[name] = value;
    }
    try {
      using response = await boundedFetch(String(url), {
        method: init.method ?? 'GET',
        headers,
        ...(init.body && { body: init.body as string }),
        signal: init.signal,
        maxBytes: MAX_BODY_BYTES,
      });
      const bytes = await response.bytes();
      return new Response(bytes.length === 0 ? null : bytes, { status: response.status, headers: response.headers });
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      if (error.failure === 'too_large') throw new LlmBodyError('its response is larger than 1 MiB');
      // The SDK recognizes its own timeout by the reason of its signal.
      throw error.cause;
    }
  };
}
