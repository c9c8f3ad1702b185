// The entries of a zip file, read by yauzl from the central directory (ZIP64 included). This file adds what yauzl leaves to
// its callers: limits on number and size, refusal of encrypted, overlapping and unsupported entries, and the CRC check.
import { crc32 } from 'node:zlib';
import { type Entry, fromFdPromise, getFileNameLowLevel } from 'yauzl';
import { ImportError } from '../import-error.ts';
import { checkSize, type SizeLimits } from './size-guard.ts';

export interface ZipEntry {
  readonly name: string;
  /** Stored as it is, without compression. */
  readonly isStored: boolean;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Offset of the entry's data in the file. */
  dataStart(): Promise<number>;
}

const STORED = 0;
const DEFLATED = 8;
const LOCAL_HEADER_BYTES = 30;
const CENTRAL_HEADER_BYTES = 46;
const MAX_DIRECTORY_BYTES = 16 << 20;
/** Folders, and files that macOS adds. */
const NO_FILE = /\/$|(^|\/)(__MACOSX\/|\.DS_Store$)/;

const damaged = (problem: string): ImportError => new ImportError('damaged_archive', `the zip is damaged: ${problem}`);

/** The files in the archive, in its own order. */
export async function listZipEntries(fd: number, limits: SizeLimits): Promise<ZipEntry[]> {
  const zip = await fromFdPromise(fd, { decodeStrings: false, validateEntrySizes: false }).catch(refuse);
  const tooMany = new ImportError('archive_too_large', `the zip has more than ${limits.maxEntries} entries`);
  if (zip.entryCount > limits.maxEntries) throw tooMany;
  const entries: Entry[] = [];
  let directoryBytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      requireSupported(entry);
      directoryBytes += CENTRAL_HEADER_BYTES + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (directoryBytes > MAX_DIRECTORY_BYTES) throw tooMany;
      entries.push(entry);
    }
  } catch (error) {
    refuse(error);
  }
  requireDisjoint(entries);
  const total = (size: 'compressedSize' | 'uncompressedSize'): number =>
    entries.reduce((sum, entry) => sum + entry[size], 0);
  checkSize(total('uncompressedSize'), total('compressedSize'), limits);
  const files = entries.filter((entry) => !NO_FILE.test(nameOf(entry)));
  if (files.length === 0) throw new ImportError('empty_file', 'the zip contains no file');
  return files.map((entry) => ({
    name: nameOf(entry),
    isStored: entry.compressionMethod === STORED,
    crc: entry.crc32,
    compressedSize: entry.compressedSize,
    size: entry.uncompressedSize,
    dataStart: async () => (await zip.readLocalFileHeaderPromise(entry, { minimal: true }).catch(refuse)).fileDataStart,
  }));
}

/** Names are only labels here, so unsafe paths need no refusal. */
const nameOf = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string =>
  getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);

function requireSupported(entry: Entry): void {
  const { compressionMethod: method } = entry;
  if (entry.isEncrypted())
    throw new ImportError('encrypted_archive', `${nameOf(entry)} in the zip is encrypted: unpack it first`);
  if (method !== STORED && method !== DEFLATED)
    throw new ImportError(
      'unsupported_archive',
      `${nameOf(entry)} in the zip uses compression method ${method}: only deflate is supported`,
    );
}

/** Entries that share their data are how a few kilobytes become petabytes. */
function requireDisjoint(entries: readonly Entry[]): void {
  let end = 0;
  for (const { relativeOffsetOfLocalHeader: start, compressedSize } of entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  )) {
    if (start < end) throw damaged('its entries overlap');
    end = start + LOCAL_HEADER_BYTES + compressedSize;
  }
}

/** yauzl reports every problem as a message. Errors of the file system have a code and pass through. */
function refuse(error: unknown): never {
  const { message, code } = error as NodeJS.ErrnoException;
  if (error instanceof ImportError || code !== undefined) throw error;
  if (/signature not found|unexpected EOF|overflows file bounds/i.test(message))
    throw new ImportError('truncated_archive', 'the zip is truncated');
  if (/encryption/.test(message)) throw new ImportError('encrypted_archive', 'the zip is encrypted: unpack it first');
  throw damaged(message);
}

/** Compares the data of an entry with the size and checksum in the directory. */
export class ZipEntryCheck {
  readonly #entry: ZipEntry;
  #crc = 0;
  #size = 0;

  constructor(entry: ZipEntry) {
    this.#entry = entry;
  }

  add(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size > this.#entry.size) throw damaged(`${this.#entry.name} is larger than its directory says`);
    this.#crc = crc32(chunk, this.#crc);
  }

  end(): void {
    if (this.#size < this.#entry.size)
      throw new ImportError('truncated_archive', `${this.#entry.name} in the zip is truncated`);
    if (this.#crc !== this.#entry.crc) throw damaged(`${this.#entry.name} has a wrong checksum`);
  }
}
