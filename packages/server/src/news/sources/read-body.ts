// The body of an answer, bounded twice: as it comes over the wire, and as it is once unpacked. A few kilobytes of gzip can
// unpack to gigabytes.
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

const UNPACKERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

export class BodyError extends Error {
  override name = 'BodyError';
  readonly reason: 'too_large' | 'bad_encoding';

  constructor(reason: BodyError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The answer must have been fetched without unpacking. */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  if (Number(response.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the rest.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return unpack(Buffer.concat(chunks), response.headers.get('content-encoding'), maxBytes);
}

async function unpack(packed: Buffer, encoding: string | null, maxBytes: number): Promise<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity' || packed.byteLength === 0) return packed;
  if (!Object.hasOwn(UNPACKERS, name)) throw new BodyError('bad_encoding', `packed in ${name.slice(0, 40)}`);
  const options = { maxOutputLength: maxBytes };
  try {
    return await UNPACKERS[name as keyof typeof UNPACKERS](packed, options).catch((error: unknown) => {
      // Some servers send the bare stream where the standard wants zlib's wrapping.
      if (name !== 'deflate' || isTooLarge(error)) throw error;
      return promisify(inflateRaw)(packed, options);
    });
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge(maxBytes);
    throw new BodyError('bad_encoding', `${name} cannot be unpacked: ${(error as Error).message}`);
  }
}

const tooLarge = (maxBytes: number): BodyError => new BodyError('too_large', `more than ${maxBytes} bytes`);
const isTooLarge = (error: unknown): boolean => (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
