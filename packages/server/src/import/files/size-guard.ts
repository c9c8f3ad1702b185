// Protects against archive bombs: limits the size of unpacked data, in bytes and relative to the archive.
import { ImportError } from '../import-error.ts';

export interface SizeLimits {
  /** Unpacked bytes of one archive. */
  readonly maxBytes: number;
  /** Unpacked bytes per compressed byte. Ticks compress 3:1 to 20:1; deflate can reach 1,032:1. */
  readonly maxRatio: number;
  readonly maxEntries: number;
}

export const SIZE_LIMITS: SizeLimits = { maxBytes: 128 * 2 ** 30, maxRatio: 200, maxEntries: 10_000 };

/** Up to this size any ratio is allowed: a small file of equal lines compresses very well. */
const RATIO_FROM_BYTES = 16 << 20;

export class SizeGuard {
  readonly #limits: SizeLimits;
  #unpacked = 0;

  constructor(limits: SizeLimits) {
    this.#limits = limits;
  }

  /** `bytes` more were unpacked; `compressed` is the total read so far. */
  add(bytes: number, compressed: number): void {
    this.#unpacked += bytes;
    checkSize(this.#unpacked, compressed, this.#limits);
  }
}

export function checkSize(unpacked: number, compressed: number, { maxBytes, maxRatio }: SizeLimits): void {
  if (unpacked > maxBytes) {
    throw new ImportError('archive_too_large', `the archive unpacks to more than ${maxBytes} bytes`);
  }
  if (unpacked > RATIO_FROM_BYTES && unpacked > compressed * maxRatio) {
    throw new ImportError(
      'archive_too_large',
      `the archive unpacks to more than ${maxRatio} times its size, like a zip bomb`,
    );
  }
}
