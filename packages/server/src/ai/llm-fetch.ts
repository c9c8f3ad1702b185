// The `fetch` of the OpenAI SDK: it sends only the necessary headers, follows no redirects, and reads the whole body within
// a size limit and the timeout of the call. (The SDK's own timeout ends with the response headers, so a server that sends
// its body slowly or without end would block the call forever.)
import { BodyTooLargeError, readBoundedBody } from '../ops/bounded-body.ts';

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
    const headers = new Headers({ 'user-agent': 'Tickwire', 'accept-encoding': 'identity' });
    for (const name of SENT_HEADERS) {
      const value = given.get(name);
      if (value !== null && !(keyless && name === 'authorization')) headers.set(name, value);
    }
    // `decompress: false`: a compressed body must not be expanded before its size is known.
    const response = await fetch(url, { ...init, headers, redirect: 'manual', decompress: false } as RequestInit);
    return new Response(await readBody(response), { status: response.status, headers: response.headers });
  };
}

async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  const encoding = response.headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity') {
    await response.body?.cancel().catch(() => {});
    throw new LlmBodyError(`its response is compressed (${encoding})`);
  }
  if (!response.body) return null;
  return readBoundedBody(response, MAX_BODY_BYTES).catch((error): never => {
    throw error instanceof BodyTooLargeError ? new LlmBodyError('its response is larger than 1 MiB') : error;
  });
}
