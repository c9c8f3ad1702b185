// Splits a byte stream into lines without creating strings. A line is passed as offsets into a buffer; a line that spans
// several chunks is assembled first. The length of a line is bounded, so input without line ends cannot fill the memory.

const NEWLINE = 10;
const RETURN = 13;
const SHORT_LINE = 128;

export interface LineHandler {
  /** A non-empty line without its line end. `number` counts from 1 and includes empty lines. */
  line(bytes: Uint8Array, start: number, end: number, number: number): void;
  /** A line exceeds the limit and is skipped. Called once per line, as soon as that is known. */
  tooLong(number: number): void;
}

export class LineSplitter {
  readonly #handler: LineHandler;
  readonly #maxBytes: number;
  #number = 0;
  /** The beginning of a line whose end is in a later chunk. */
  #carry = new Uint8Array(1024);
  #carried = 0;
  #skipping = false;

  /** `maxBytes`: length of the longest line. */
  constructor(handler: LineHandler, maxBytes: number) {
    this.#handler = handler;
    this.#maxBytes = maxBytes;
  }

  chunk(bytes: Uint8Array): void {
    let from = 0;
    if (this.#carried > 0 || this.#skipping) {
      const end = bytes.indexOf(NEWLINE);
      this.#keep(bytes, 0, end < 0 ? bytes.length : end);
      if (end < 0) return;
      this.#flush();
      from = end + 1;
    }
    for (;;) {
      const end = lineEnd(bytes, from);
      if (end < 0) break;
      this.#emit(bytes, from, end);
      from = end + 1;
    }
    this.#keep(bytes, from, bytes.length);
  }

  /** Emits the last line if it has no line end. */
  end(): void {
    if (this.#carried > 0 || this.#skipping) this.#flush();
  }

  #emit(bytes: Uint8Array, start: number, end: number): void {
    this.#number++;
    const last = end > start && bytes[end - 1] === RETURN ? end - 1 : end;
    if (last - start > this.#maxBytes) this.#handler.tooLong(this.#number);
    else if (last > start) this.#handler.line(bytes, start, last, this.#number);
  }

  #keep(bytes: Uint8Array, start: number, end: number): void {
    if (this.#skipping || end === start) return;
    const length = this.#carried + end - start;
    if (length > this.#maxBytes) {
      this.#skipping = true;
      this.#carried = 0;
      this.#handler.tooLong(++this.#number);
      return;
    }
    if (length > this.#carry.length) {
      const grown = new Uint8Array(Math.max(length, this.#carry.length * 2));
      grown.set(this.#carry.subarray(0, this.#carried));
      this.#carry = grown;
    }
    this.#carry.set(bytes.subarray(start, end), this.#carried);
    this.#carried = length;
  }

  #flush(): void {
    const length = this.#carried;
    this.#carried = 0;
    if (this.#skipping) this.#skipping = false;
    else this.#emit(this.#carry, 0, length);
  }
}

/** Position of the next line end; −1 if there is none. A call of indexOf takes longer than looking at a short line. */
function lineEnd(bytes: Uint8Array, from: number): number {
  const soon = Math.min(from + SHORT_LINE, bytes.length);
  for (let at = from; at < soon; at++) if (bytes[at] === NEWLINE) return at;
  return bytes.indexOf(NEWLINE, soon);
}
