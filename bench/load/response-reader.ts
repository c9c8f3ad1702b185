// Minimal parser that finds the end of each response of an HTTP/1.1 connection: status, Content-Length, body.

const HEAD_END = Buffer.from('\r\n\r\n');
/** Bun writes Content-Length, Node content-length. */
const LENGTH = Buffer.from('ength: ');
const STATUS_AT = 'HTTP/1.1 '.length;
const NINE = 0x39;
const ZERO = 0x30;

export class ResponseReader {
  /** Remaining body bytes of the current response. */
  #remaining = 0;
  #held: Buffer | null = null;
  #status = 0;
  readonly #done: (status: number) => void;

  /** `done` receives the status of every complete response. */
  constructor(done: (status: number) => void) {
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
        this.#status = digits(chunk, at + STATUS_AT);
        this.#remaining = bodyLength(chunk, at, end);
        at = end + HEAD_END.length;
      }
      const taken = Math.min(this.#remaining, chunk.length - at);
      this.#remaining -= taken;
      at += taken;
      if (this.#remaining === 0) this.#done(this.#status);
    }
  }
}

function bodyLength(chunk: Buffer, from: number, end: number): number {
  const found = chunk.indexOf(LENGTH, from);
  if (found < 0 || found > end) throw new Error('an answer without Content-Length');
  return digits(chunk, found + LENGTH.length);
}

function digits(chunk: Buffer, from: number): number {
  let value = 0;
  for (let at = from; chunk[at]! >= ZERO && chunk[at]! <= NINE; at++) value = value * 10 + chunk[at]! - ZERO;
  return value;
}
