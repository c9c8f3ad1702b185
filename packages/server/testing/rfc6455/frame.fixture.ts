// Frames that no correct client would send: every field of RFC 6455 5.2 can be set wrong.
import { randomBytes } from 'node:crypto';

export const CONTINUATION = 0x0;
export const TEXT = 0x1;
export const BINARY = 0x2;
export const CLOSE = 0x8;
export const PING = 0x9;
export const PONG = 0xa;

export interface Shape {
  readonly fin?: boolean;
  /** RSV1 to RSV3 as one number: 4, 2, 1. */
  readonly reserved?: number;
  readonly masked?: boolean;
  /** Width of the length field. Default: the shortest that fits. */
  readonly lengthBits?: 7 | 16 | 64;
  /** The length in the header. Default: that of the payload. */
  readonly claims?: bigint;
}

export function frame(opcode: number, payload: string | Uint8Array = '', shape: Shape = {}): Buffer {
  const { fin = true, reserved = 0, masked = true } = shape;
  const body = Buffer.from(payload as Uint8Array);
  const length = shape.claims ?? BigInt(body.length);
  const bits = shape.lengthBits ?? (length < 126n ? 7 : length < 65_536n ? 16 : 64);
  const field = Buffer.alloc(bits === 7 ? 0 : bits / 8);
  if (bits === 16) field.writeUInt16BE(Number(length));
  if (bits === 64) field.writeBigUInt64BE(length);
  const short = bits === 7 ? Number(length) : bits === 16 ? 126 : 127;
  const head = Buffer.from([(fin ? 0x80 : 0) | (reserved << 4) | opcode, (masked ? 0x80 : 0) | short]);
  if (!masked) return Buffer.concat([head, field, body]);
  const mask = randomBytes(4);
  return Buffer.concat([head, field, mask, body.map((byte, at) => byte ^ mask[at & 3]!)]);
}

/** One message as fragments: the first has the opcode, the others are continuations, and the last one is final. */
export const fragmented = (pieces: readonly (string | Uint8Array)[], opcode = TEXT): Buffer[] =>
  pieces.map((piece, at) => frame(at === 0 ? opcode : CONTINUATION, piece, { fin: at === pieces.length - 1 }));

/** Splits bytes into `count` pieces of nearly the same size. */
export function cut(data: string | Uint8Array, count: number): Buffer[] {
  const bytes = Buffer.from(data as Uint8Array);
  const at = (piece: number): number => Math.floor((bytes.length * piece) / count);
  return Array.from({ length: count }, (_, piece) => bytes.subarray(at(piece), at(piece + 1)));
}

export function closeFrame(code: number, reason: string | Uint8Array = ''): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(code);
  return frame(CLOSE, Buffer.concat([bytes, Buffer.from(reason as Uint8Array)]));
}

const REQUEST = '{"action":"ping","later":""}';
/** A request that is answered with `{"event":"pong"}`, padded to a length in bytes. */
export const request = (bytes = REQUEST.length): string =>
  REQUEST.replace('""', `"${'a'.repeat(bytes - REQUEST.length)}"`);
export const ANSWER = 'text {"event":"pong"}';
