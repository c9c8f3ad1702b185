// Counts WebSocket frames in a stream of bytes by walking over their headers; the payload is not looked at, save for the
// one byte that tells a tick ({"symbol"…) from a notice ({"event"…).

const TEXT = 0x81;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const LETTER_E = 0x65;
/** Longest header of a frame from a server. */
const MAX_HEADER = 10;

export type OnTick = (chunk: Buffer, from: number, to: number) => void;

export class FrameCounter {
  ticks = 0;
  notices = 0;
  /** Payload bytes of the current frame that are still to come. */
  #remaining = 0;
  #held: Buffer | null = null;
  readonly #onTick: OnTick | null;

  /** `onTick` is shown the ticks that lie whole within a chunk. */
  constructor(onTick: OnTick | null) {
    this.#onTick = onTick;
  }

  read(data: Buffer): void {
    const chunk = this.#held ? Buffer.concat([this.#held, data]) : data;
    this.#held = null;
    let at = Math.min(this.#remaining, chunk.length);
    this.#remaining -= at;
    while (at < chunk.length) {
      // A header, and the third byte of its payload, must be there to tell what it is.
      if (chunk.length - at < MAX_HEADER + 3 && !wholeFrame(chunk, at)) {
        this.#held = Buffer.from(chunk.subarray(at));
        return;
      }
      const start = payloadStart(chunk, at);
      const end = start + payloadLength(chunk, at);
      if (chunk[at] === TEXT) {
        if (chunk[start + 2] === LETTER_E) this.notices++;
        else {
          this.ticks++;
          if (this.#onTick && end <= chunk.length) this.#onTick(chunk, start, end);
        }
      }
      this.#remaining = Math.max(0, end - chunk.length);
      at = end;
    }
  }
}

const payloadStart = (chunk: Buffer, at: number): number => {
  const short = chunk[at + 1]! & 127;
  return at + (short === LENGTH_64 ? 10 : short === LENGTH_16 ? 4 : 2);
};

function payloadLength(chunk: Buffer, at: number): number {
  const short = chunk[at + 1]! & 127;
  if (short < LENGTH_16) return short;
  return short === LENGTH_16 ? chunk.readUInt16BE(at + 2) : Number(chunk.readBigUInt64BE(at + 2));
}

/** A short frame at the very end of a chunk. */
const wholeFrame = (chunk: Buffer, at: number): boolean =>
  chunk.length - at >= 2 && (chunk[at + 1]! & 127) < LENGTH_16 && at + 2 + (chunk[at + 1]! & 127) <= chunk.length;
