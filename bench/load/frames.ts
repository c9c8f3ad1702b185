// Parses the WebSocket frames of a server in place, and encodes the two kinds of frame that a reader sends.

export const TEXT = 1;
export const BINARY = 2;
export const CLOSE = 8;
export const PING = 9;
const PONG = 10;
const OPCODE = 15;
const LENGTH = 127;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const FINAL = 0x80;
const MASKED = 0x80;

/** The payload is in `bytes` from `start` to `end`; valid until the call returns. */
export type OnFrame = (opcode: number, bytes: Buffer, start: number, end: number) => void;

/** Calls `onFrame` for every complete frame; returns the start of the incomplete one. */
export function walkFrames(bytes: Buffer, from: number, to: number, onFrame: OnFrame): number {
  let at = from;
  while (to - at >= 2) {
    const short = bytes[at + 1]! & LENGTH;
    let start = at + 2;
    let length = short;
    if (short === LENGTH_16) {
      if (to - at < 4) return at;
      length = bytes[at + 2]! * 256 + bytes[at + 3]!;
      start = at + 4;
    } else if (short === LENGTH_64) {
      if (to - at < 10) return at;
      length = bytes.readUInt32BE(at + 2) * 2 ** 32 + bytes.readUInt32BE(at + 6);
      start = at + 10;
    }
    const end = start + length;
    if (end > to) return at;
    onFrame(bytes[at]! & OPCODE, bytes, start, end);
    at = end;
  }
  return at;
}

export const textFrame = (text: string | Uint8Array): Buffer =>
  frame(TEXT, typeof text === 'string' ? Buffer.from(text) : text);
export const pongFrame = (payload: Uint8Array): Buffer => frame(PONG, payload);

/** A masked frame, as required of clients. A mask of zeroes leaves the payload unchanged. */
function frame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const size = length < LENGTH_16 ? [MASKED | length] : [MASKED | LENGTH_16, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([FINAL | opcode, ...size, 0, 0, 0, 0]), payload]);
}
