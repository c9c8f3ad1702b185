// A file of any packing as chunks of bytes: plain, gzip, or the entries of a zip. What is in the way (truncated, encrypted,
// a bomb, a kind of archive nobody reads here) is refused by name. Memory holds a few chunks, whatever the file's size.
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip, createInflateRaw } from 'node:zlib';
import { ImportError } from './import-error.ts';
import { SizeGuard, type SizeLimits } from './size-guard.ts';
import { readDirectory, ZipCheck, type ZipEntry, zipDataStart } from './zip-archive.ts';

export const CHUNK_BYTES = 1 << 18;

/** First bytes of archives that are not read here. */
const FOREIGN: readonly (readonly [name: string, magic: readonly number[]])[] = [
  ['7z', [0x37, 0x7a, 0xbc, 0xaf]],
  ['rar', [0x52, 0x61, 0x72, 0x21]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
];
const startsWith = (bytes: Uint8Array, magic: readonly number[]): boolean =>
  bytes.length >= magic.length && magic.every((byte, index) => bytes[index] === byte);
const isGzip = (bytes: Uint8Array): boolean => startsWith(bytes, [0x1f, 0x8b]);
const isZip = (bytes: Uint8Array): boolean =>
  startsWith(bytes, [0x50, 0x4b, 3, 4]) || startsWith(bytes, [0x50, 0x4b, 5, 6]);

/** Name of the packing these bytes begin with; null where they are not packed. */
export function packingOf(bytes: Uint8Array): string | null {
  if (isGzip(bytes)) return 'gzip';
  if (isZip(bytes)) return 'zip';
  return FOREIGN.find(([, magic]) => startsWith(bytes, magic))?.[0] ?? null;
}

export interface SourceEntry {
  /** The path, with `!name` behind it for an entry of a zip. */
  readonly name: string;
  /** A chunk is valid until the next one is asked for. */
  readonly chunks: () => AsyncGenerator<Uint8Array>;
}

export class SourceFile {
  readonly path: string;
  readonly bytesTotal: number;
  /** Bytes of the file as it lies on the disk, still packed. */
  bytesRead = 0;
  readonly #handle: FileHandle;
  readonly #limits: SizeLimits;

  private constructor(path: string, handle: FileHandle, size: number, limits: SizeLimits) {
    this.path = path;
    this.#handle = handle;
    this.bytesTotal = size;
    this.#limits = limits;
  }

  static async open(path: string, limits: SizeLimits): Promise<SourceFile> {
    let handle: FileHandle;
    try {
      handle = await open(path, 'r');
    } catch (error) {
      throw new ImportError('no_such_file', `it cannot be opened (${(error as NodeJS.ErrnoException).code})`);
    }
    const stat = await handle.stat();
    if (stat.isFile()) return new SourceFile(path, handle, stat.size, limits);
    await handle.close();
    throw new ImportError('no_such_file', 'it is not a file');
  }

  async entries(): Promise<readonly SourceEntry[]> {
    const head = await this.#read(0, Math.min(8, this.bytesTotal));
    if (isZip(head)) {
      const found = await readDirectory((from, length) => this.#read(from, length), this.bytesTotal, this.#limits);
      return found.map((entry) => ({ name: `${this.path}!${entry.name}`, chunks: () => this.#unzip(entry) }));
    }
    const packing = packingOf(head);
    if (packing === 'gzip') return [{ name: this.path, chunks: () => this.#gunzip() }];
    if (packing)
      throw new ImportError('unsupported_archive', `${packing} archives are not read: unpack it, or use gzip or zip`);
    if (/\.(zip|gz)$/i.test(this.path) && this.bytesTotal > 0) {
      throw new ImportError('damaged_archive', 'its name says archive, its first bytes do not');
    }
    return [{ name: this.path, chunks: () => this.#raw(0, this.bytesTotal, true) }];
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #read(from: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await this.#handle.read(bytes, filled, length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  }

  /** `reuse`: one buffer for all chunks. Not where a decompressor still holds the last one. */
  async *#raw(from: number, to: number, reuse: boolean): AsyncGenerator<Uint8Array> {
    let buffer = new Uint8Array(CHUNK_BYTES);
    for (let at = from; at < to; ) {
      if (!reuse) buffer = new Uint8Array(CHUNK_BYTES);
      const { bytesRead } = await this.#handle.read(buffer, 0, Math.min(CHUNK_BYTES, to - at), at);
      if (bytesRead === 0) break;
      at += bytesRead;
      this.bytesRead += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async *#gunzip(): AsyncGenerator<Uint8Array> {
    const guard = new SizeGuard(this.#limits);
    const packed = Readable.from(this.#raw(0, this.bytesTotal, false), { objectMode: true, highWaterMark: 2 });
    for await (const chunk of unpacked(packed, createGunzip({ chunkSize: CHUNK_BYTES }))) {
      guard.grown(chunk.length, this.bytesRead);
      yield chunk;
    }
  }

  async *#unzip(entry: ZipEntry): AsyncGenerator<Uint8Array> {
    const from = await zipDataStart((at, length) => this.#read(at, length), entry);
    const raw = this.#raw(from, from + entry.packedSize, false);
    const packed = Readable.from(raw, { objectMode: true, highWaterMark: 2 });
    const guard = new SizeGuard(this.#limits);
    const check = new ZipCheck(entry);
    const chunks = entry.method === 0 ? raw : unpacked(packed, createInflateRaw({ chunkSize: CHUNK_BYTES }));
    for await (const chunk of chunks) {
      guard.grown(chunk.length, entry.packedSize);
      check.grown(chunk);
      yield chunk;
    }
    check.end();
  }
}

type Decompressor = ReturnType<typeof createGunzip> | ReturnType<typeof createInflateRaw>;

async function* unpacked(packed: Readable, decompressor: Decompressor): AsyncGenerator<Uint8Array> {
  packed.on('error', (error) => decompressor.destroy(error));
  try {
    for await (const chunk of packed.pipe(decompressor)) yield chunk as Uint8Array;
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === 'Z_BUF_ERROR') throw new ImportError('truncated_archive', 'the archive ends too early');
    if (code?.startsWith('Z_')) throw new ImportError('damaged_archive', 'the archive is damaged');
    throw error;
  } finally {
    packed.destroy();
    decompressor.destroy();
  }
}
