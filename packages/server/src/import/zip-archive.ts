// The directory of a zip file, as PKWARE's APPNOTE 6.3 lays it out, with the ZIP64 fields that archives of months of trades
// need. Reads the central directory at the end, never trusts the local headers beyond their length, and refuses what it
// cannot check: entries that are encrypted, overlap, or are packed by another method than deflate.
import { crc32 } from 'node:zlib';
import { ImportError } from './import-error.ts';
import { checkSize, type SizeLimits } from './size-guard.ts';

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly headerAt: number;
}

export type ReadAt = (from: number, length: number) => Promise<Uint8Array>;

const END = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT = 0xffff;
const LOCATOR64 = 0x07064b50;
const LOCATOR64_BYTES = 20;
const END64 = 0x06064b50;
const END64_BYTES = 56;
const CENTRAL = 0x02014b50;
const CENTRAL_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const EXTRA64 = 0x0001;
const FULL = 0xffffffff;
const MAX_DIRECTORY_BYTES = 16 << 20;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const truncated = (): ImportError =>
  new ImportError('truncated_archive', 'the zip ends too early: its directory is missing');
const damaged = (what: string): ImportError => new ImportError('damaged_archive', `the zip is damaged: ${what}`);
const long = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

interface Directory {
  readonly at: number;
  readonly bytes: number;
  readonly entries: number;
}

/** The files in the archive, in its own order; folders and what a Mac adds are left out. */
export async function readDirectory(read: ReadAt, fileSize: number, limits: SizeLimits): Promise<ZipEntry[]> {
  const directory = await locate(read, fileSize);
  if (directory.entries > limits.maxEntries || directory.bytes > MAX_DIRECTORY_BYTES) {
    throw new ImportError('archive_too_large', `the zip has more than ${limits.maxEntries} entries`);
  }
  if (directory.at + directory.bytes > fileSize) throw truncated();
  const bytes = await read(directory.at, directory.bytes);
  const entries = parse(bytes, directory.entries);
  const files = entries.filter(({ name }) => !name.endsWith('/') && !/(^|\/)(__MACOSX\/|\.DS_Store$)/.test(name));
  const packed = entries.reduce((sum, entry) => sum + entry.packedSize, 0);
  // Entries that share their bytes are how a few kilobytes become petabytes.
  if (packed > directory.at) throw damaged('its entries overlap');
  checkSize(
    entries.reduce((sum, entry) => sum + entry.size, 0),
    packed,
    limits,
  );
  if (files.length === 0) throw new ImportError('empty_file', 'there is no file in the zip');
  return files;
}

async function locate(read: ReadAt, fileSize: number): Promise<Directory> {
  const length = Math.min(fileSize, END_BYTES + MAX_COMMENT + LOCATOR64_BYTES);
  const tail = await read(fileSize - length, length);
  const view = viewOf(tail);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== END) continue;
    const locator = at - LOCATOR64_BYTES;
    if (locator >= 0 && view.getUint32(locator, true) === LOCATOR64) {
      const end = await read(long(view, locator + 8), END64_BYTES);
      const wide = viewOf(end);
      if (end.length < END64_BYTES || wide.getUint32(0, true) !== END64) throw truncated();
      return { entries: long(wide, 32), bytes: long(wide, 40), at: long(wide, 48) };
    }
    return {
      entries: view.getUint16(at + 10, true),
      bytes: view.getUint32(at + 12, true),
      at: view.getUint32(at + 16, true),
    };
  }
  throw truncated();
}

function parse(bytes: Uint8Array, count: number): ZipEntry[] {
  const view = viewOf(bytes);
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    if (at + CENTRAL_BYTES > bytes.length || view.getUint32(at, true) !== CENTRAL)
      throw damaged('its directory is cut');
    const nameEnd = at + CENTRAL_BYTES + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    const next = extraEnd + view.getUint16(at + 32, true);
    if (next > bytes.length) throw damaged('its directory is cut');
    const name = new TextDecoder().decode(bytes.subarray(at + CENTRAL_BYTES, nameEnd));
    if (view.getUint16(at + 8, true) & ENCRYPTED) {
      throw new ImportError('encrypted_archive', `${name} in the zip is encrypted: unpack it first`);
    }
    const method = view.getUint16(at + 10, true);
    if (method !== STORED && method !== DEFLATED) {
      throw new ImportError(
        'unsupported_archive',
        `${name} in the zip is packed by method ${method}: only deflate is read`,
      );
    }
    const crc = view.getUint32(at + 16, true);
    entries.push({ name, method, crc, ...sizesOf(view, at, nameEnd, extraEnd) });
    at = next;
  }
  return entries;
}

/** Sizes and place; where one is too large for its field, it stands in the ZIP64 extra field, in this very order. */
function sizesOf(view: DataView, at: number, extra: number, extraEnd: number) {
  const sizes = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
  for (let field = extra; field + 4 <= extraEnd; ) {
    const end = field + 4 + view.getUint16(field + 2, true);
    if (view.getUint16(field, true) === EXTRA64) {
      let value = field + 4;
      for (const [index, size] of sizes.entries()) {
        if (size !== FULL || value + 8 > Math.min(end, extraEnd)) continue;
        sizes[index] = long(view, value);
        value += 8;
      }
    }
    field = end;
  }
  return { size: sizes[0]!, packedSize: sizes[1]!, headerAt: sizes[2]! };
}

/** Where an entry's bytes begin: the local header's own name and extra field lie before them. */
export async function zipDataStart(read: ReadAt, entry: ZipEntry): Promise<number> {
  const header = await read(entry.headerAt, LOCAL_BYTES);
  if (header.length < LOCAL_BYTES || viewOf(header).getUint32(0, true) !== LOCAL)
    throw damaged('an entry is not where it should be');
  return entry.headerAt + LOCAL_BYTES + viewOf(header).getUint16(26, true) + viewOf(header).getUint16(28, true);
}

/** Whether an entry came out as the directory says. */
export class ZipCheck {
  readonly #entry: ZipEntry;
  #crc = 0;
  #size = 0;

  constructor(entry: ZipEntry) {
    this.#entry = entry;
  }

  grown(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size > this.#entry.size) throw damaged(`${this.#entry.name} is larger than the directory says`);
    this.#crc = crc32(chunk, this.#crc);
  }

  end(): void {
    if (this.#size < this.#entry.size)
      throw new ImportError('truncated_archive', `${this.#entry.name} in the zip ends too early`);
    if (this.#crc !== this.#entry.crc) throw damaged(`${this.#entry.name} has another checksum`);
  }
}
