// RFC 6455 frames as a client reads and writes them: what comes is not masked, what goes is.

export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
/** Far more than the service ever says at once. */
const MOST_BYTES = 16 * 1024 * 1024;

export interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** A peer that does not keep to the protocol, with the close code for it. */
export class BadFrame extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Puts whole messages together from bytes as they come; control frames may stand between the parts of one. */
export class FrameReader {
  #bytes: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];
  #opcode: number = OPCODES.continuation;

  *read(bytes: Buffer): Generator<Frame> {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    for (let frame = this.#next(); frame; frame = this.#next()) {
      const message = this.#assemble(frame);
      if (message) yield message;
    }
  }

  /** The next frame that is there as a whole. */
  #next(): (Frame & { readonly last: boolean }) | null {
    const bytes = this.#bytes;
    if (bytes.length < 2) return null;
    const [first, second] = [bytes[0]!, bytes[1]!];
    if ((first & 0x70) !== 0 || (second & 0x80) !== 0) throw new BadFrame(1002, 'a frame that is reserved or masked');
    const short = second & 0x7f;
    const start = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (bytes.length < start) return null;
    const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    if (length > MOST_BYTES) throw new BadFrame(1009, 'a frame that is too large');
    if (bytes.length < start + length) return null;
    this.#bytes = bytes.subarray(start + length);
    return { opcode: first & 0x0f, last: (first & 0x80) !== 0, payload: bytes.subarray(start, start + length) };
  }

  #assemble({ opcode, last, payload }: Frame & { readonly last: boolean }): Frame | null {
    if (opcode >= OPCODES.close) {
      if (!last || payload.length > 125) throw new BadFrame(1002, 'a control frame in parts');
      return { opcode, payload };
    }
    const isFirst = this.#parts.length === 0;
    if (isFirst === (opcode === OPCODES.continuation)) throw new BadFrame(1002, 'parts of a message out of order');
    if (isFirst) this.#opcode = opcode;
    if (isFirst && last) return { opcode, payload };
    this.#parts.push(payload);
    if (this.#parts.reduce((sum, part) => sum + part.length, 0) > MOST_BYTES)
      throw new BadFrame(1009, 'a message that is too large');
    if (!last) return null;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    return { opcode: this.#opcode, payload: whole };
  }
}

export function frameOf(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const extra = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const frame = Buffer.alloc(6 + extra + length);
  frame[0] = 0x80 | opcode;
  frame[1] = 0x80 | (extra === 0 ? length : extra === 2 ? 126 : 127);
  if (extra === 2) frame.writeUInt16BE(length, 2);
  if (extra === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  const mask = crypto.getRandomValues(new Uint8Array(4));
  frame.set(mask, 2 + extra);
  for (let at = 0; at < length; at++) frame[6 + extra + at] = payload[at]! ^ mask[at & 3]!;
  return frame;
}

export function closeFrame(code: number, reason: string): Buffer {
  const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
  payload.writeUInt16BE(code, 0);
  payload.write(reason, 2);
  return frameOf(OPCODES.close, payload);
}
