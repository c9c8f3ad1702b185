// Decompresses the body of a response, up to a size: a few kilobytes of gzip can expand to gigabytes.
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { BodyTooLargeError } from './bounded-body.ts';

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

export class BadEncodingError extends Error {
  override name = 'BadEncodingError';
}

/** `encoding`: header Content-Encoding. Throws `BodyTooLargeError` or `BadEncodingError`. */
export async function decodeBody(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: string | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity' || bytes.byteLength === 0) return bytes;
  if (!Object.hasOwn(DECODERS, name)) throw new BadEncodingError(`unknown Content-Encoding ${name.slice(0, 40)}`);
  const options = { maxOutputLength: maxBytes };
  try {
    return await DECODERS[name as keyof typeof DECODERS](bytes, options).catch((error: unknown) => {
      // Some servers send a raw deflate stream instead of the zlib format that the standard requires.
      if (name !== 'deflate' || isTooLarge(error)) throw error;
      return promisify(inflateRaw)(bytes, options);
    });
  } catch (error) {
    if (isTooLarge(error)) throw new BodyTooLargeError(`the body has more than ${maxBytes} bytes`);
    throw new BadEncodingError(`${name} cannot be decompressed: ${(error as Error).message}`);
  }
}

const isTooLarge = (error: unknown): boolean => (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
