// Against archives made to fill a disk or a day: how large and how dense what comes out may be.
import { ImportError } from './import-error.ts';

export interface SizeLimits {
  /** Unpacked bytes of one archive. */
  readonly maxBytes: number;
  /** Unpacked bytes for each packed one. Ticks pack 3 to 20 to one; deflate can reach 1,032. */
  readonly maxRatio: number;
  readonly maxEntries: number;
}

export const SIZE_LIMITS: SizeLimits = { maxBytes: 128 * 2 ** 30, maxRatio: 200, maxEntries: 10_000 };

/** Below this, a small file of equal lines may be as dense as it likes. */
const DENSE_FROM_BYTES = 16 << 20;

export class SizeGuard {
  readonly #limits: SizeLimits;
  #unpacked = 0;

  constructor(limits: SizeLimits) {
    this.#limits = limits;
  }

  /** So many bytes came out more, of so many packed ones read in all. */
  grown(bytes: number, packed: number): void {
    this.#unpacked += bytes;
    checkSize(this.#unpacked, packed, this.#limits);
  }
}

export function checkSize(unpacked: number, packed: number, { maxBytes, maxRatio }: SizeLimits): void {
  if (unpacked > maxBytes) {
    throw new ImportError('archive_too_large', `the archive unpacks to more than ${maxBytes} bytes`);
  }
  if (unpacked > DENSE_FROM_BYTES && unpacked > packed * maxRatio) {
    throw new ImportError(
      'archive_too_large',
      `the archive unpacks to more than ${maxRatio} times its size: a zip bomb`,
    );
  }
}
