// Reads the body of a request or a response into memory, up to a limit in bytes as sent (before decompression).

/** Chunks are joined once there are this many, because a small chunk takes far more memory than its bytes. */
const MAX_LOOSE_CHUNKS = 1_024;
/** Two million chunks of one byte would block the service for seconds: after the first chunks, their mean size has a minimum. */
const FIRST_CHUNKS = 1_024;
const MEAN_CHUNK_BYTES = 16;

export class BodyTooLargeError extends Error {
  override name = 'BodyTooLargeError';
}

export class TinyChunksError extends Error {
  override name = 'TinyChunksError';
}

/** Throws `BodyTooLargeError` as soon as the body is known to exceed `maxBytes`, and cancels the rest of it. Throws `TinyChunksError` if it is sent in tiny chunks. */
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
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let count = 0;
  let loose = 0;
  // A throw inside the loop cancels the body.
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge();
    if (++count > FIRST_CHUNKS + bytes / MEAN_CHUNK_BYTES)
      throw new TinyChunksError('the body is sent in too many small chunks');
    chunks.push(chunk);
    if (++loose < MAX_LOOSE_CHUNKS) continue;
    chunks.push(Buffer.concat(chunks.splice(-loose)));
    loose = 0;
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
