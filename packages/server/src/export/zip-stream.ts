// A zip file with one deflated entry, as a stream: checksum and sizes follow the data (APPNOTE 4.3.9), so that nothing is
// held back or written twice. The directory at the end repeats them, which is where readers look.
import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { ExportError } from './export-error.ts';

const LOCAL_HEADER = 0x04034b50;
const DATA_DESCRIPTOR = 0x08074b50;
const CENTRAL_HEADER = 0x02014b50;
const END_RECORD = 0x06054b50;
/** Deflate. */
const VERSION_NEEDED = 20;
const DEFLATED = 8;
/** Bit 3: sizes follow the data. Bit 11: the name is UTF-8. */
const FLAGS = 0x0808;
/** Entries have a fixed date, so that equal data gives equal files: 1980-01-01, the earliest that a zip can have. */
const DOS_DATE = 0x0021;
const MAX_BYTES = 0xffff_ffff;
const CHUNK_BYTES = 1 << 18;

/** The bytes of the zip file. `chunks` are those of the entry. */
export async function* zipOfOne(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const label = Buffer.from(name);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(LOCAL_HEADER, 0);
  writeShorts(local, 4, [VERSION_NEEDED, FLAGS, DEFLATED, 0, DOS_DATE]);
  local.writeUInt16LE(label.length, 26);
  yield Buffer.concat([local, label]);
  let [crc, size, compressed] = [0, 0, 0];
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      crc = crc32(chunk, crc);
      size += chunk.length;
      yield chunk;
    }
  }
  const source = Readable.from(counted(), { objectMode: true, highWaterMark: 2 });
  const deflate = createDeflateRaw({ chunkSize: CHUNK_BYTES });
  source.on('error', (error) => deflate.destroy(error));
  try {
    for await (const chunk of source.pipe(deflate) as AsyncIterable<Uint8Array>) {
      compressed += chunk.length;
      yield chunk;
    }
  } finally {
    source.destroy();
    deflate.destroy();
  }
  if (size > MAX_BYTES || compressed > MAX_BYTES)
    throw new ExportError(`${name} has more than 4 GiB, the limit of a zip file: export a shorter range`);
  const descriptor = Buffer.alloc(16);
  writeLongs(descriptor, 0, [DATA_DESCRIPTOR, crc, compressed, size]);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(CENTRAL_HEADER, 0);
  writeShorts(central, 4, [VERSION_NEEDED, VERSION_NEEDED, FLAGS, DEFLATED, 0, DOS_DATE]);
  writeLongs(central, 16, [crc, compressed, size]);
  central.writeUInt16LE(label.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END_RECORD, 0);
  writeShorts(end, 8, [1, 1]);
  const directoryStart = local.length + label.length + compressed + descriptor.length;
  writeLongs(end, 12, [central.length + label.length, directoryStart]);
  yield Buffer.concat([descriptor, central, label, end]);
}

function writeShorts(buffer: Buffer, at: number, values: readonly number[]): void {
  for (const [index, value] of values.entries()) buffer.writeUInt16LE(value, at + 2 * index);
}

function writeLongs(buffer: Buffer, at: number, values: readonly number[]): void {
  for (const [index, value] of values.entries()) buffer.writeUInt32LE(value >>> 0, at + 4 * index);
}
