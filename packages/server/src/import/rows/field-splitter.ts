// Splits a line into fields, as offsets: no string is created.
import { latin1Text } from '../files/bytes.ts';
import { parseDecimal } from './decimal.ts';

const QUOTE = 34;
const SPACE = 32;
const POINT = 46;
/** More fields than any known export has; the rest of a longer line is ignored. */
const MAX_FIELDS = 64;

/** The fields of the current line. One instance per reader, reused for every line. */
export class FieldSplitter {
  bytes: Uint8Array = new Uint8Array(0);
  /** Where each field starts and ends in the bytes. */
  readonly start = new Int32Array(MAX_FIELDS);
  readonly end = new Int32Array(MAX_FIELDS);
  count = 0;

  /** Fields in double quotes may contain the separator and lose their quotes; spaces around a field are trimmed. */
  split(bytes: Uint8Array, start: number, end: number, separator: number): number {
    this.bytes = bytes;
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

  /** The number in a field; NaN if it is empty or not a number. */
  decimal(field: number): number {
    return parseDecimal(this.bytes, this.start[field]!, this.end[field]!);
  }

  text(field: number): string {
    return latin1Text(this.bytes, this.start[field]!, this.end[field]!);
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
