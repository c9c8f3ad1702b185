// An input file as chunks of bytes: plain, gzip, or the entries of a zip. Truncated, encrypted, oversized and unsupported
// archives are refused with a named fault. Memory holds a few chunks, whatever the size of the file.
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip, createInflateRaw } from 'node:zlib';
import { ImportError } from '../import-error.ts';
import { SizeGuard, type SizeLimits } from './size-guard.ts';
import { listZipEntries, type ZipEntry, ZipEntryCheck } from './zip-archive.ts';

export const CHUNK_BYTES = 1 << 18;

/** First bytes of archives that are not supported. */
const UNSUPPORTED: readonly (readonly [name: string, magic: readonly number[]])[] = [
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

/** Name of the archive format that these bytes begin with; `null` if they are not compressed. */
export function compressionOf(bytes: Uint8Array): string | null {
  if (isGzip(bytes)) return 'gzip';
  if (isZip(bytes)) return 'zip';
  return UNSUPPORTED.find(([, magic]) => startsWith(bytes, magic))?.[0] ?? null;
}

export interface SourceEntry {
  /** The path, followed by `!name` for an entry of a zip. */
  readonly name: string;
  /** A chunk is valid until the next one is requested. */
  readonly chunks: () => AsyncGenerator<Uint8Array>;
}

export class SourceFile {
  readonly path: string;
  readonly bytesTotal: number;
  /** Bytes read from the disk, before decompression. */
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
      throw new ImportError('no_such_file', `the file cannot be opened (${(error as NodeJS.ErrnoException).code})`);
    }
    const stat = await handle.stat();
    if (stat.isFile()) return new SourceFile(path, handle, stat.size, limits);
    await handle.close();
    throw new ImportError('no_such_file', 'this is not a file');
  }

  async entries(): Promise<readonly SourceEntry[]> {
    const head = new Uint8Array(8);
    const { bytesRead } = await this.#handle.read(head, 0, head.length, 0);
    const compression = compressionOf(head.subarray(0, bytesRead));
    if (compression === 'zip') {
      const entries = await listZipEntries(this.#handle.fd, this.#limits);
      return entries.map((entry) => ({ name: `${this.path}!${entry.name}`, chunks: () => this.#unzip(entry) }));
    }
    if (compression === 'gzip') return [{ name: this.path, chunks: () => this.#gunzip() }];
    if (compression)
      throw new ImportError(
        'unsupported_archive',
        `${compression} archives are not supported: unpack it, or use gzip or zip`,
      );
    if (/\.(zip|gz)$/i.test(this.path) && this.bytesTotal > 0) {
      throw new ImportError('damaged_archive', 'the file is named like an archive, but its first bytes are not of one');
    }
    return [{ name: this.path, chunks: () => this.#raw(0, this.bytesTotal, true) }];
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  /** `reuse`: one buffer for all chunks. Not possible if a decompressor still holds the last one. */
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
    const raw = this.#raw(0, this.bytesTotal, false);
    for await (const chunk of decompress(raw, createGunzip({ chunkSize: CHUNK_BYTES }))) {
      guard.add(chunk.length, this.bytesRead);
      yield chunk;
    }
  }

  async *#unzip(entry: ZipEntry): AsyncGenerator<Uint8Array> {
    const from = await entry.dataStart();
    const raw = this.#raw(from, from + entry.compressedSize, false);
    const guard = new SizeGuard(this.#limits);
    const check = new ZipEntryCheck(entry);
    const chunks = entry.isStored ? raw : decompress(raw, createInflateRaw({ chunkSize: CHUNK_BYTES }));
    for await (const chunk of chunks) {
      guard.add(chunk.length, entry.compressedSize);
      check.add(chunk);
      yield chunk;
    }
    check.end();
  }
}

type Decompressor = ReturnType<typeof createGunzip> | ReturnType<typeof createInflateRaw>;

async function* decompress(raw: AsyncIterable<Uint8Array>, decompressor: Decompressor): AsyncGenerator<Uint8Array> {
  const compressed = Readable.from(raw, { objectMode: true, highWaterMark: 2 });
  compressed.on('error', (error) => decompressor.destroy(error));
  try {
    for await (const chunk of compressed.pipe(decompressor)) yield chunk as Uint8Array;
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === 'Z_BUF_ERROR') throw new ImportError('truncated_archive', 'the archive is truncated');
    if (code?.startsWith('Z_')) throw new ImportError('damaged_archive', 'the archive is damaged');
    throw error;
  } finally {
    compressed.destroy();
    decompressor.destroy();
  }
}
