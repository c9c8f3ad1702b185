// Splits a JSON array into its records without parsing it: each array or object directly inside the outermost brackets, as
// offsets. Records may contain arrays, objects and strings with brackets.

import { concatBytes } from '../files/bytes.ts';
import type { RowReader } from './line-reader.ts';

const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** A record has some hundred bytes; a longer one is cut here, so that its handler refuses it. */
const MAX_RECORD_BYTES = 1 << 16;

export type RecordHandler = (bytes: Uint8Array, start: number, end: number, number: number) => void;

export class JsonRecords implements RowReader {
  readonly #handle: RecordHandler;
  /** Open brackets, the outermost included. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  #number = 0;
  #carry: Uint8Array | null = null;

  constructor(handle: RecordHandler) {
    this.#handle = handle;
  }

  chunk(chunk: Uint8Array): void {
    const bytes = this.#carry ? concatBytes(this.#carry, chunk) : chunk;
    let from = this.#carry ? 0 : -1;
    let [depth, inString, escaped] = [this.#depth, this.#inString, this.#escaped];
    for (let at = this.#carry ? this.#carry.length : 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (depth++ === 1) from = at;
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        if (depth > 0) depth--;
        if (depth === 1 && from >= 0) {
          this.#handle(bytes, from, at + 1, ++this.#number);
          from = -1;
        }
      }
    }
    [this.#depth, this.#inString, this.#escaped] = [depth, inString, escaped];
    this.#carry = from >= 0 ? bytes.slice(from) : null;
    if (this.#carry && this.#carry.length > MAX_RECORD_BYTES) this.end();
  }

  /** Passes on a record that the end of the file cut off. */
  end(): void {
    if (this.#carry) this.#handle(this.#carry, 0, this.#carry.length, ++this.#number);
    this.#carry = null;
  }
}
