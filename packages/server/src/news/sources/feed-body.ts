// Reads the body of a feed's response. The size is limited twice, as sent and after decompression: a few kilobytes of gzip
// can expand to gigabytes.
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { BodyTooLargeError, readBoundedBody } from '../../ops/bounded-body.ts';

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

export class FeedBodyError extends Error {
  override name = 'FeedBodyError';
  readonly reason: 'too_large' | 'bad_encoding';

  constructor(reason: FeedBodyError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The response must have been fetched with `decompress: false`. */
export async function readFeedBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const bytes = await readBoundedBody(response, maxBytes).catch((error): never => {
    throw error instanceof BodyTooLargeError ? tooLarge(maxBytes) : error;
  });
  return decompress(bytes, response.headers.get('content-encoding'), maxBytes);
}

async function decompress(bytes: Uint8Array, encoding: string | null, maxBytes: number): Promise<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity' || bytes.byteLength === 0) return bytes;
  if (!Object.hasOwn(DECODERS, name))
    throw new FeedBodyError('bad_encoding', `unknown Content-Encoding ${name.slice(0, 40)}`);
  const options = { maxOutputLength: maxBytes };
  try {
    return await DECODERS[name as keyof typeof DECODERS](bytes, options).catch((error: unknown) => {
      // Some servers send a raw deflate stream instead of the zlib format that the standard requires.
      if (name !== 'deflate' || isTooLarge(error)) throw error;
      return promisify(inflateRaw)(bytes, options);
    });
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge(maxBytes);
    throw new FeedBodyError('bad_encoding', `${name} cannot be decompressed: ${(error as Error).message}`);
  }
}

const tooLarge = (maxBytes: number): FeedBodyError => new FeedBodyError('too_large', `more than ${maxBytes} bytes`);
const isTooLarge = (error: unknown): boolean => (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
