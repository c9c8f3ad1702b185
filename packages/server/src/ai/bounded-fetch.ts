// How the SDK of language models reaches its server: only the headers that are needed, no redirects, and a body that is
// read whole, up to a bound and within the time of the call. (The SDK's own time limit ends with the response's head: a
// server that drips its body, or never ends it, would hold the call for ever.)

/** Some thousand times what a good answer has. */
const MAX_BODY_BYTES = 1 << 20;
const SENT_HEADERS = ['accept', 'authorization', 'content-type'];

export class BodyError extends Error {
  override name = 'BodyError';
}

/** `keyless`: the SDK insists on a key; a server that needs none gets none. */
export function boundedFetch(keyless: boolean): (url: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (url, init = {}) => {
    const given = new Headers(init.headers);
    // Nothing of this machine travels along: the SDK tells its platform, and takes headers from the environment.
    const headers = new Headers({ 'user-agent': 'Tickwire', 'accept-encoding': 'identity' });
    for (const name of SENT_HEADERS) {
      const value = given.get(name);
      if (value !== null && !(keyless && name === 'authorization')) headers.set(name, value);
    }
    // `decompress`: a packed body is not unpacked before its size is known.
    const response = await fetch(url, { ...init, headers, redirect: 'manual', decompress: false } as RequestInit);
    return new Response(await bodyOf(response), { status: response.status, headers: response.headers });
  };
}

async function bodyOf(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  const encoding = response.headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity' || Number(response.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) {
    await response.body?.cancel();
    throw new BodyError(encoding === 'identity' ? 'its answer is over 1 MiB' : `its answer is packed (${encoding})`);
  }
  if (!response.body) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop by a throw cancels the body.
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new BodyError('its answer is over 1 MiB');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
