// Numbers and texts in few bytes, as the blocks of the tape and the minutes of volume at price have them. Integers are varints:
// seven bits per byte, the lowest first. Sizes are whole numbers of 10^-scale; those that fit none of up to eight decimals are
// eight-byte floats.
import { fromTicks, toTicks } from '@tickwire/engine';

/** The scale of sizes that are floats. */
export const FLOATS = 255;
const MAX_SCALE = 8;
/** Bit operations work on integers below it. */
const LARGE = 2 ** 31;

const decoder = new TextDecoder();
/** One number: a view of the bytes themselves takes longer to create than the copy. */
const floatBytes = new Uint8Array(8);
const floatView = new DataView(floatBytes.buffer);

/** The first scale from `start` on at which the size is a whole number that reads back exactly, or FLOATS. */
export function exactScale(size: number, start: number): number {
  for (let scale = start; scale <= MAX_SCALE && size >= 0; scale++) {
    const whole = toTicks(size, scale);
    if (whole > Number.MAX_SAFE_INTEGER) return FLOATS;
    if (fromTicks(whole, scale) === size) return scale;
  }
  return FLOATS;
}

export class PackedWriter {
  #bytes: Uint8Array;
  #at = 0;

  constructor(length = 1024) {
    this.#bytes = new Uint8Array(length);
  }

  /** Call before writing: the writes do not check the space that is left. A number has up to eight bytes. */
  reserve(length: number): void {
    if (this.#at + length <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + length));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }

  byte(value: number): void {
    this.#bytes[this.#at++] = value;
  }

  /** Up to 2^53. */
  varint(value: number): void {
    let rest = value;
    for (; rest >= LARGE; rest = Math.floor(rest / 128)) this.#bytes[this.#at++] = (rest % 128) | 128;
    let low = rest | 0;
    for (; low >= 128; low >>= 7) this.#bytes[this.#at++] = (low & 127) | 128;
    this.#bytes[this.#at++] = low;
  }

  /** An integer that may be negative. */
  zigzag(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  float(value: number): void {
    floatView.setFloat64(0, value, true);
    for (let index = 0; index < 8; index++) this.#bytes[this.#at++] = floatBytes[index]!;
  }

  size(value: number, scale: number): void {
    if (scale === FLOATS) this.float(value);
    else this.varint(toTicks(value, scale));
  }

  /** Up to 255 bytes. */
  text(utf8: Uint8Array): void {
    this.#bytes[this.#at++] = utf8.length;
    this.bytes(utf8);
  }

  bytes(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  get length(): number {
    return this.#at;
  }

  /** The bytes so far, or some of them. */
  done(from = 0, to = this.#at): Uint8Array {
    return this.#bytes.slice(from, to);
  }
}

export class PackedReader {
  readonly #bytes: Uint8Array;
  readonly #tooShort: () => Error;
  #at = 0;

  /** `tooShort`: the error if bytes are missing. */
  constructor(bytes: Uint8Array, tooShort: () => Error) {
    this.#bytes = bytes;
    this.#tooShort = tooShort;
  }

  get ended(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    if (this.#at >= this.#bytes.length) throw this.#tooShort();
    return this.#bytes[this.#at++]!;
  }

  varint(): number {
    const first = this.byte();
    if (first < 128) return first;
    let value = first & 127;
    let scale = 128;
    for (;;) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }

  zigzag(): number {
    const value = this.varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  float(): number {
    if (this.#at + 8 > this.#bytes.length) throw this.#tooShort();
    for (let index = 0; index < 8; index++) floatBytes[index] = this.#bytes[this.#at++]!;
    return floatView.getFloat64(0, true);
  }

  size(scale: number): number {
    return scale === FLOATS ? this.float() : fromTicks(this.varint(), scale);
  }

  text(): string {
    return decoder.decode(this.bytes(this.byte()));
  }

  bytes(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) throw this.#tooShort();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}
