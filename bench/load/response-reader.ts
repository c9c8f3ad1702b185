// The least parsing that finds the end of each answer of an HTTP/1.1 connection: status, Content-Length, body.

const HEAD_END = Buffer.from('\r\n\r\n');
/** Bun writes Content-Length, Node content-length. */
const LENGTH = Buffer.from('ength: ');
const OK = [0x32, 0x30, 0x30];
const STATUS_AT = 'HTTP/1.1 '.length;
const NINE = 0x39;
const ZERO = 0x30;

export class ResponseReader {
  /** Body bytes of the current answer that are still to come. */
  #remaining = 0;
  #held: Buffer | null = null;
  #ok = false;
  readonly #done: (ok: boolean) => void;

  /** `done` is told of every whole answer and whether it was a 200. */
  constructor(done: (ok: boolean) => void) {
    this.#done = done;
  }

  read(data: Buffer): void {
    const chunk = this.#held ? Buffer.concat([this.#held, data]) : data;
    this.#held = null;
    let at = 0;
    while (at < chunk.length) {
      if (this.#remaining === 0) {
        const end = chunk.indexOf(HEAD_END, at);
        if (end < 0) {
          this.#held = Buffer.from(chunk.subarray(at));
          return;
        }
        this.#ok = OK.every((byte, index) => chunk[at + STATUS_AT + index] === byte);
        this.#remaining = bodyLength(chunk, at, end);
        at = end + HEAD_END.length;
      }
      const taken = Math.min(this.#remaining, chunk.length - at);
      this.#remaining -= taken;
      at += taken;
      if (this.#remaining === 0) this.#done(this.#ok);
    }
  }
}

function bodyLength(chunk: Buffer, from: number, end: number): number {
  const found = chunk.indexOf(LENGTH, from);
  if (found < 0 || found > end) throw new Error('an answer without Content-Length');
  let length = 0;
  for (let at = found + LENGTH.length; chunk[at]! >= ZERO && chunk[at]! <= NINE; at++)
    length = length * 10 + chunk[at]! - ZERO;
  return length;
}
