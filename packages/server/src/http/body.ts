// Reads the body of a request: checks its size, decodes gzip and UTF-8. It is rejected before any of it is processed.
import { isUtf8 } from 'node:buffer';
import { createGunzip } from 'node:zlib';
import { ServiceError } from '../errors/service-error.ts';
import { BodyTooLargeError, readBoundedBody, TinyChunksError } from '../ops/bounded-body.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** The largest body that any endpoint accepts. */
export const MAX_BODY_BYTES = 16 * MIB;
/** Decompression yields to other work after each of these. */
const DECOMPRESSED_CHUNK_BYTES = 64 * KIB;

const size = (bytes: number): string => (bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`);

/** `timeoutMs`: how long the client may take to send the body. Default: as long as the connection is not idle. */
export async function readRequestBody(request: Request, limit: number, timeoutMs?: number): Promise<Uint8Array> {
  const tooLarge = (): ServiceError =>
    new ServiceError('payload_too_large', `The body may have at most ${size(limit)}.`);
  const declared = request.headers.get('content-length');
  if (Number(declared ?? 0) > limit) throw tooLarge();
  // The HTTP server enforces a declared length. A chunked body has none and is counted while it is read, which is slower.
  const reading = declared === null ? readBoundedBody(request, limit) : request.bytes();
  const body = await within(timeoutMs, reading).catch((error): never => {
    if (error instanceof BodyTooLargeError) throw tooLarge();
    if (error instanceof ServiceError) throw error;
    if (error instanceof TinyChunksError)
      throw new ServiceError('malformed_body', 'The body is sent in too many small chunks. Send larger ones.');
    // The client has disconnected. Nobody reads this response, but it must not be logged as an internal error.
    throw new ServiceError('malformed_body', 'The body ended before its announced length.');
  });
  if (body.length > limit) throw tooLarge();
  return body;
}

/** Closes the connection as well, because the client may send the rest of the body for hours. */
async function within<T>(timeoutMs: number | undefined, reading: Promise<T>): Promise<T> {
  if (timeoutMs === undefined) return reading;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const detail = `The body did not arrive within ${timeoutMs / 1000} s.`;
    late.reject(new ServiceError('malformed_body', detail, { headers: { Connection: 'close' } }));
  }, timeoutMs);
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The body without its Content-Encoding. `limit` bounds the size after decompression. `onChunk` gets each part as soon as it
 * is known and may throw to stop there.
 */
export async function decodeContent(
  body: Uint8Array,
  request: Request,
  limit: number,
  onChunk: (chunk: Uint8Array) => void = () => {},
): Promise<Uint8Array> {
  if (!isCompressed(request)) {
    onChunk(body);
    return body;
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const decompressed = createGunzip({ chunkSize: DECOMPRESSED_CHUNK_BYTES });
  decompressed.end(body);
  try {
    // A throw inside the loop stops the decompression.
    for await (const chunk of decompressed as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > limit)
        throw new ServiceError('payload_too_large', `The body may have at most ${size(limit)} after decompression.`);
      onChunk(chunk);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('malformed_body', 'The body is not valid gzip.');
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Whether the body is gzip. Throws a 415 for any other encoding. */
export function isCompressed(request: Request): boolean {
  const encoding = (request.headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return false;
  if (encoding !== 'gzip') throw new ServiceError('unsupported_encoding', 'Content-Encoding must be gzip or identity.');
  return true;
}

/** Throws a 400 if the body is not UTF-8. */
export function requireUtf8(body: Uint8Array): void {
  if (!isUtf8(body)) throw new ServiceError('malformed_body', 'The body is not valid UTF-8.');
}

export function decodeUtf8(body: Uint8Array): string {
  requireUtf8(body);
  return new TextDecoder().decode(body);
}
