// Reads the body of a request: checks its size, decodes gzip and UTF-8. It is rejected before any of it is processed.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ServiceError } from '../errors/service-error.ts';
import { BodyTooLargeError, readBoundedBody } from '../ops/bounded-body.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

const gunzipAsync = promisify(gunzip);

const size = (bytes: number): string => (bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`);

export async function readRequestBody(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = (): ServiceError =>
    new ServiceError('payload_too_large', `The body may have at most ${size(limit)}.`);
  const declared = request.headers.get('content-length');
  if (Number(declared ?? 0) > limit) throw tooLarge();
  // The HTTP server enforces a declared length. A chunked body has none and is counted while it is read, which is slower.
  const reading = declared === null ? readBoundedBody(request, limit) : request.bytes();
  const body = await reading.catch((error): never => {
    if (error instanceof BodyTooLargeError) throw tooLarge();
    // The client has disconnected. Nobody reads this response, but it must not be logged as an internal error.
    throw new ServiceError('malformed_body', 'The body ended before its announced length.');
  });
  if (body.length > limit) throw tooLarge();
  return body;
}

/** The body without its Content-Encoding. `limit` bounds the size after decompression. */
export async function decodeContent(body: Uint8Array, request: Request, limit: number): Promise<Uint8Array> {
  const encoding = (request.headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return body;
  if (encoding !== 'gzip') throw new ServiceError('unsupported_encoding', 'Content-Encoding must be gzip or identity.');
  try {
    return await gunzipAsync(body, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new ServiceError('payload_too_large', `The body may have at most ${size(limit)} after decompression.`);
    }
    throw new ServiceError('malformed_body', 'The body is not valid gzip.');
  }
}

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ServiceError('malformed_body', 'The body is not valid UTF-8.');
  }
}
