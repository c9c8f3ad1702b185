// Splits a JSON array into its records without parsing it: each array or object inside the outermost brackets, as offsets.
// For records that contain no brackets themselves.
import type { RowReader } from './formats/format.ts';
import { concatBytes } from './text-encoding.ts';

const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** A record has about a hundred bytes; a longer one is dropped. */
const MAX_RECORD_BYTES = 1 << 16;

export type RecordHandler = (bytes: Uint8Array, start: number, end: number, number: number) => void;

export class JsonRecords implements RowReader {
  readonly #handle: RecordHandler;
  #inArray = false;
  #number = 0;
  #carry: Uint8Array | null = null;

  constructor(handle: RecordHandler) {
    this.#handle = handle;
  }

  chunk(chunk: Uint8Array): void {
    const bytes = this.#carry ? concatBytes(this.#carry, chunk) : chunk;
    let from = this.#carry ? 0 : -1;
    for (let at = this.#carry ? this.#carry.length : 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (this.#inArray) from = at;
        this.#inArray = true;
      } else if (from >= 0 && (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT)) {
        this.#handle(bytes, from, at + 1, ++this.#number);
        from = -1;
      }
    }
    this.#carry = from >= 0 && bytes.length - from <= MAX_RECORD_BYTES ? bytes.slice(from) : null;
  }

  /** Passes on a record that the end of the file cut off. */
  end(): void {
    if (this.#carry) this.#handle(this.#carry, 0, this.#carry.length, ++this.#number);
    this.#carry = null;
  }
}
