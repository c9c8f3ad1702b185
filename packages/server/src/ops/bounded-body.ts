// Reads the body of a request or a response into memory, up to a limit in bytes as sent (before decompression).

const FIRST_BYTES = 4_096;

export class BodyTooLargeError extends Error {
  override name = 'BodyTooLargeError';
}

/** Throws `BodyTooLargeError` as soon as the body is known to exceed `maxBytes`, and cancels the rest of it. */
export async function readBoundedBody(
  { headers, body }: Request | Response,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = (): BodyTooLargeError => new BodyTooLargeError(`the body has more than ${maxBytes} bytes`);
  if (Number(headers.get('content-length') ?? 0) > maxBytes) {
    // The sender may have closed the connection already, which must not hide the actual error.
    await body?.cancel().catch(() => {});
    throw tooLarge();
  }
  // Chunks are copied: a client may send one byte in each, and an object per byte takes many times its size.
  let whole = new Uint8Array(Math.min(maxBytes, FIRST_BYTES));
  let bytes = 0;
  // A throw inside the loop cancels the body.
  for await (const chunk of body ?? []) {
    const before = bytes;
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge();
    if (bytes > whole.length) {
      const grown = new Uint8Array(Math.min(maxBytes, Math.max(bytes, 2 * whole.length)));
      grown.set(whole.subarray(0, before));
      whole = grown;
    }
    whole.set(chunk, before);
  }
  return whole.subarray(0, bytes);
}
