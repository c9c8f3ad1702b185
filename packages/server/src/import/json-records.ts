// The flat records of one JSON array, without parsing the array: each array or object inside the outermost brackets, as
// offsets. For data whose records hold no brackets of their own.
import type { RowReader } from './formats/format.ts';
import { joined } from './text-encoding.ts';

const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** A record is some hundred bytes; an open one that goes on beyond this is dropped. */
const MAX_RECORD_BYTES = 1 << 16;

export type TakeRecord = (bytes: Uint8Array, start: number, end: number, number: number) => void;

export class JsonRecords implements RowReader {
  readonly #take: TakeRecord;
  #outer = false;
  #number = 0;
  #carry: Uint8Array | null = null;

  constructor(take: TakeRecord) {
    this.#take = take;
  }

  chunk(chunk: Uint8Array): void {
    const bytes = this.#carry ? joined(this.#carry, chunk) : chunk;
    let from = this.#carry ? 0 : -1;
    for (let at = this.#carry ? this.#carry.length : 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (this.#outer) from = at;
        this.#outer = true;
      } else if (from >= 0 && (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT)) {
        this.#take(bytes, from, at + 1, ++this.#number);
        from = -1;
      }
    }
    this.#carry = from >= 0 && bytes.length - from <= MAX_RECORD_BYTES ? bytes.slice(from) : null;
  }

  /** A record that the end of the file cut off. */
  end(): void {
    if (this.#carry) this.#take(this.#carry, 0, this.#carry.length, ++this.#number);
    this.#carry = null;
  }
}
