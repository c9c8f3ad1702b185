// WebSocket frames of a server in a stretch of bytes, walked in place; and the two kinds of frame a reader sends.

export const TEXT = 1;
export const CLOSE = 8;
export const PING = 9;
const PONG = 10;
const OPCODE = 15;
const LENGTH = 127;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const FINAL = 0x80;
const MASKED = 0x80;

/** The payload lies from `start` to `end`, until the call returns. */
export type OnFrame = (opcode: number, bytes: Buffer, start: number, end: number) => void;

/** Shows every whole frame; returns where the one begins that is not whole yet. */
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

export const textFrame = (text: string): Buffer => frame(TEXT, Buffer.from(text));
export const pongFrame = (payload: Uint8Array): Buffer => frame(PONG, payload);

/** As clients must send it. A mask of zeroes is a mask, and leaves the payload as it is. */
function frame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const size = length < LENGTH_16 ? [MASKED | length] : [MASKED | LENGTH_16, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([FINAL | opcode, ...size, 0, 0, 0, 0]), payload]);
}
