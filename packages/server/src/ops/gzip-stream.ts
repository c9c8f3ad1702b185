// Compresses and decompresses streams of any length. Memory holds a few chunks: the source is read only as fast as the
// result.
import { Readable, type Transform } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';

export type Chunks = AsyncGenerator<Uint8Array, void, undefined>;

export const gzipChunks = (source: AsyncIterable<string | Uint8Array>): Chunks => through(source, createGzip());
/** Throws if the source is not gzip, or ends too early. */
export const gunzipChunks = (source: AsyncIterable<Uint8Array>): Chunks => through(source, createGunzip());

async function* through(source: AsyncIterable<string | Uint8Array>, transform: Transform): Chunks {
  const input = Readable.from(source);
  input.on('error', (error) => transform.destroy(error));
  try {
    yield* input.pipe(transform) as AsyncIterable<Uint8Array>;
  } finally {
    input.destroy();
    transform.destroy();
  }
}
