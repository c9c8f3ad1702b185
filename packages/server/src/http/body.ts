// The body of a request: bounded, unpacked, as text. What is wrong with it is told before anything of it is taken in.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ApiError } from './api-error.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

const unpack = promisify(gunzip);

const size = (bytes: number): string => (bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`);

export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = (): ApiError => new ApiError('payload_too_large', `A body may have ${size(limit)} here.`);
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge();
  const body = await request.bytes().catch((): never => {
    // The caller has gone. Nobody reads this, but it is no fault of ours to be logged as one.
    throw new ApiError('malformed_body', 'The body ended before its length.');
  });
  if (body.length > limit) throw tooLarge();
  return body;
}

/** What the body is without its Content-Encoding; `limit` bounds what a small one may grow to. */
export async function plainBody(body: Uint8Array, request: Request, limit: number): Promise<Uint8Array> {
  const encoding = (request.headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return body;
  if (encoding !== 'gzip') throw new ApiError('unsupported_encoding', 'Content-Encoding may be gzip or identity.');
  try {
    return await unpack(body, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new ApiError('payload_too_large', `A body may have ${size(limit)} when it is unpacked.`);
    }
    throw new ApiError('malformed_body', 'The body is not gzip.');
  }
}

export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('malformed_body', 'The body is not UTF-8.');
  }
}
