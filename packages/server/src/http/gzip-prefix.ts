// Gzip for a text whose beginning stays the same while its end changes: the beginning is compressed once, and the end is
// appended uncompressed. Measured on 500 bars: 94 µs for the beginning, then 1 µs per response instead of 94 µs.
import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { Bytes } from './conditional-response.ts';

/** Without file name and time, for any operating system. */
const GZIP_HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
const STORED_HEADER_BYTES = 5;
const TRAILER_BYTES = 8;
/** Capacity of a stored block of deflate, in bytes. */
const MAX_STORED = 0xffff;
/** A fifth of the size. Higher levels save little more and take four to six times as long. */
export const GZIP_LEVEL = 1;

export interface GzipPrefix {
  readonly deflated: Uint8Array;
  readonly checksum: number;
  readonly bytes: number;
}

/** The full flush ends the data at a byte boundary, so that another block can follow. */
export function gzipPrefix(text: string): GzipPrefix {
  const plain = Buffer.from(text);
  const deflated = deflateRawSync(plain, { level: GZIP_LEVEL, finishFlush: constants.Z_FULL_FLUSH });
  return { deflated, checksum: crc32(plain), bytes: plain.length };
}

/** The whole text as gzip (RFC 1952): the compressed prefix, then the tail in a stored block (RFC 1951). */
export function gzipWithPrefix({ deflated, checksum, bytes }: GzipPrefix, tail: string): Bytes {
  const end = Buffer.from(tail);
  if (end.length > MAX_STORED) throw new RangeError('the tail is too long for one stored block');
  const whole = new Uint8Array(GZIP_HEADER.length + deflated.length + STORED_HEADER_BYTES + end.length + TRAILER_BYTES);
  const view = new DataView(whole.buffer);
  whole.set(GZIP_HEADER);
  whole.set(deflated, GZIP_HEADER.length);
  let at = GZIP_HEADER.length + deflated.length;
  view.setUint8(at, 1);
  view.setUint16(at + 1, end.length, true);
  view.setUint16(at + 3, ~end.length & MAX_STORED, true);
  whole.set(end, at + STORED_HEADER_BYTES);
  at += STORED_HEADER_BYTES + end.length;
  view.setUint32(at, crc32(end, checksum), true);
  view.setUint32(at + 4, bytes + end.length, true);
  return whole;
}
