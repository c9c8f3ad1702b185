// Bytes to lines, and a line to fields, as offsets: no string is made. What a chunk leaves unfinished is carried to the
// next one, so the chunks' borders never show.

const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;
const SPACE = 32;
const POINT = 46;
/** The longest real line is a snapshot of an order book: some 400 KB. Without a bound, a file without line ends would
 * be gathered in memory whole. */
export const MAX_LINE_BYTES = 4 << 20;

export interface LineTaker {
  /** One line that is not empty, without its end. Numbers count from 1, empty lines too. */
  line(bytes: Uint8Array, start: number, end: number, number: number): void;
  /** A line longer than MAX_LINE_BYTES: it is not kept. */
  tooLong(number: number): void;
}

export class LineSplitter {
  readonly #taker: LineTaker;
  #number = 0;
  #carry = new Uint8Array(1024);
  #carried = 0;
  #overflowed = false;

  constructor(taker: LineTaker) {
    this.#taker = taker;
  }

  chunk(bytes: Uint8Array): void {
    let from = 0;
    if (this.#carried > 0 || this.#overflowed) {
      const end = bytes.indexOf(NEWLINE);
      this.#keep(bytes, 0, end < 0 ? bytes.length : end);
      if (end < 0) return;
      this.#flush();
      from = end + 1;
    }
    for (;;) {
      const end = bytes.indexOf(NEWLINE, from);
      if (end < 0) break;
      this.#give(bytes, from, end);
      from = end + 1;
    }
    this.#keep(bytes, from, bytes.length);
  }

  /** The last line may have no end. */
  end(): void {
    if (this.#carried > 0 || this.#overflowed) this.#flush();
  }

  #give(bytes: Uint8Array, start: number, end: number): void {
    this.#number++;
    const last = end > start && bytes[end - 1] === RETURN ? end - 1 : end;
    if (last > start) this.#taker.line(bytes, start, last, this.#number);
  }

  #keep(bytes: Uint8Array, start: number, end: number): void {
    const length = this.#carried + end - start;
    if (length > MAX_LINE_BYTES) this.#overflowed = true;
    if (this.#overflowed || end === start) return;
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
    if (this.#overflowed) {
      this.#overflowed = false;
      this.#taker.tooLong(++this.#number);
    } else this.#give(this.#carry, 0, length);
  }
}

/** Wider than any known export; what stands further right is not looked at. */
const MAX_FIELDS = 64;

/** Where the fields of the line at hand begin and end. One per reader, used anew for each line. */
export class Fields {
  readonly start = new Int32Array(MAX_FIELDS);
  readonly end = new Int32Array(MAX_FIELDS);
  count = 0;

  /** Fields in double quotes may hold the separator and lose the quotes; spaces around a field do not belong to it. */
  split(bytes: Uint8Array, start: number, end: number, separator: number): number {
    let field = 0;
    let from = start;
    let quoted = false;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      // Digits and points, which most bytes are.
      if (byte >= POINT && byte !== separator) continue;
      if (byte === QUOTE) quoted = !quoted;
      else if (byte === separator && !quoted) {
        if (field === MAX_FIELDS - 1) break;
        this.#set(bytes, field++, from, at);
        from = at + 1;
      }
    }
    this.#set(bytes, field++, from, end);
    this.count = field;
    return field;
  }

  #set(bytes: Uint8Array, field: number, start: number, end: number): void {
    let from = start;
    let to = end;
    while (from < to && bytes[from] === SPACE) from++;
    while (to > from && bytes[to - 1] === SPACE) to--;
    if (to - from > 1 && bytes[from] === QUOTE && bytes[to - 1] === QUOTE) {
      from++;
      to--;
    }
    this.start[field] = from;
    this.end[field] = to;
  }
}
