// LZMA decoder for .lzma files and Dukascopy's .bi5 ("LZMA alone"): 13 bytes of header, then one range-coded stream. After
// Igor Pavlov's specification (lzma-specification.txt in the LZMA SDK). Decodes into one buffer of limited size: the
// available libraries include an encoder, and none can limit the output.
import { ImportError } from '../import-error.ts';

const HEADER_BYTES = 13;
const STATES = 12;
const POSITION_STATES_MAX = 16;
const MIN_MATCH = 2;
const LENGTH_STATES = 4;
const END_POSITION = 14;
const FULL_DISTANCES = 128;
const ALIGN_BITS = 4;
const HALF = 1024;

const damaged = (problem: string): ImportError =>
  new ImportError('damaged_archive', `the LZMA stream is damaged: ${problem}`);
const fresh = (length: number): Uint16Array => new Uint16Array(length).fill(HALF);

/**
 * Flips the order of signed numbers into that of unsigned ones. The runtime keeps signed 32-bit numbers as integers;
 * unsigned ones would become floats.
 */
const SIGN = 0x80000000 | 0;
const TOP_BYTE = 0xff000000 | 0;

class RangeDecoder {
  readonly #bytes: Uint8Array;
  #at: number;
  #range = -1;
  #code = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at + 1;
    if (bytes[at] !== 0) throw damaged('the first byte is not zero');
    for (let index = 0; index < 4; index++) this.#code = (this.#code << 8) | this.#next();
  }

  /** The code is zero when nothing is left to decode. */
  get finished(): boolean {
    return this.#code === 0;
  }

  bit(probabilities: Uint16Array, index: number): number {
    const probability = probabilities[index]!;
    const bound = Math.imul(this.#range >>> 11, probability);
    let bit = 0;
    if ((this.#code ^ SIGN) < (bound ^ SIGN)) {
      this.#range = bound;
      probabilities[index] = probability + ((2048 - probability) >>> 5);
    } else {
      this.#range = (this.#range - bound) | 0;
      this.#code = (this.#code - bound) | 0;
      probabilities[index] = probability - (probability >>> 5);
      bit = 1;
    }
    if ((this.#range & TOP_BYTE) === 0) this.#shift();
    return bit;
  }

  direct(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index++) {
      this.#range >>>= 1;
      const bit = (this.#code ^ SIGN) >= (this.#range ^ SIGN) ? 1 : 0;
      if (bit) this.#code = (this.#code - this.#range) | 0;
      value = value * 2 + bit;
      if ((this.#range & TOP_BYTE) === 0) this.#shift();
    }
    return value;
  }

  /** Bits from the highest down, through a tree of probabilities. */
  tree(probabilities: Uint16Array, offset: number, bits: number): number {
    let node = 1;
    for (let index = 0; index < bits; index++) node = node * 2 + this.bit(probabilities, offset + node);
    return node - (1 << bits);
  }

  /** The same from the lowest up. */
  reverseTree(probabilities: Uint16Array, offset: number, bits: number): number {
    let node = 1;
    let value = 0;
    for (let index = 0; index < bits; index++) {
      const bit = this.bit(probabilities, offset + node);
      node = node * 2 + bit;
      value |= bit << index;
    }
    return value;
  }

  #shift(): void {
    this.#range <<= 8;
    this.#code = (this.#code << 8) | this.#next();
  }

  #next(): number {
    if (this.#at >= this.#bytes.length) throw new ImportError('truncated_archive', 'the LZMA stream is truncated');
    return this.#bytes[this.#at++]!;
  }
}

/** Lengths of matches: 2 to 9, 10 to 17, or 18 to 273. */
class LengthDecoder {
  readonly #choice = fresh(2);
  readonly #low = fresh(POSITION_STATES_MAX << 3);
  readonly #middle = fresh(POSITION_STATES_MAX << 3);
  readonly #high = fresh(256);

  read(range: RangeDecoder, positionState: number): number {
    if (range.bit(this.#choice, 0) === 0) return range.tree(this.#low, positionState << 3, 3);
    if (range.bit(this.#choice, 1) === 0) return 8 + range.tree(this.#middle, positionState << 3, 3);
    return 16 + range.tree(this.#high, 0, 8);
  }
}

/** Decodes an LZMA-alone file; throws if the result exceeds `maxBytes`. */
export function unlzma(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length < HEADER_BYTES + 5) throw new ImportError('truncated_archive', 'the LZMA stream is truncated');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const properties = bytes[0]!;
  if (properties >= 9 * 5 * 5) throw damaged('unknown properties');
  // All ones: the stream has an end marker instead of a size.
  const declared = view.getBigUint64(5, true);
  const hasEndMarker = declared === 0xffffffffffffffffn;
  if (!hasEndMarker && declared > BigInt(maxBytes)) {
    throw new ImportError('archive_too_large', `the LZMA stream unpacks to more than ${maxBytes} bytes`);
  }
  return decode(new RangeDecoder(bytes, HEADER_BYTES), properties, hasEndMarker ? -1 : Number(declared), maxBytes);
}

function decode(range: RangeDecoder, properties: number, size: number, maxBytes: number): Uint8Array {
  const literalContext = properties % 9;
  const literalPositionMask = (1 << (Math.floor(properties / 9) % 5)) - 1;
  const positionMask = (1 << Math.floor(properties / 45)) - 1;
  const literals = fresh(0x300 << (literalContext + (Math.floor(properties / 9) % 5)));
  const isMatch = fresh(STATES * POSITION_STATES_MAX);
  const isRepeat = fresh(STATES);
  const isRepeat0 = fresh(STATES);
  const isRepeat1 = fresh(STATES);
  const isRepeat2 = fresh(STATES);
  const isLongRepeat0 = fresh(STATES * POSITION_STATES_MAX);
  const slots = fresh(LENGTH_STATES << 6);
  const special = fresh(FULL_DISTANCES);
  const align = fresh(1 << ALIGN_BITS);
  const matchLength = new LengthDecoder();
  const repeatLength = new LengthDecoder();
  let out = new Uint8Array(size >= 0 ? size : Math.min(1 << 16, maxBytes));
  let at = 0;
  let state = 0;
  let [rep0, rep1, rep2, rep3] = [0, 0, 0, 0];

  const reserve = (more: number): void => {
    if (at + more <= out.length) return;
    if (size >= 0) throw damaged('the output is larger than its header says');
    if (at + more > maxBytes) {
      throw new ImportError('archive_too_large', `the LZMA stream unpacks to more than ${maxBytes} bytes`);
    }
    const grown = new Uint8Array(Math.min(maxBytes, Math.max(out.length * 2, at + more)));
    grown.set(out);
    out = grown;
  };

  const literal = (): void => {
    reserve(1);
    const previous = at > 0 ? out[at - 1]! : 0;
    const context = ((at & literalPositionMask) << literalContext) + (previous >> (8 - literalContext));
    const base = 0x300 * context;
    let symbol = 1;
    if (state >= 7) {
      // After a match, the byte that would follow in it predicts the first bits.
      let guide = out[at - rep0 - 1]!;
      do {
        const bit = (guide >> 7) & 1;
        guide <<= 1;
        const read = range.bit(literals, base + ((1 + bit) << 8) + symbol);
        symbol = (symbol << 1) | read;
        if (read !== bit) break;
      } while (symbol < 0x100);
    }
    while (symbol < 0x100) symbol = (symbol << 1) | range.bit(literals, base + symbol);
    out[at++] = symbol;
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  };

  const distance = (length: number): number => {
    const slot = range.tree(slots, Math.min(length, LENGTH_STATES - 1) << 6, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) * 2 ** bits;
    if (slot < END_POSITION) return base + range.reverseTree(special, base - slot, bits);
    return base + range.direct(bits - ALIGN_BITS) * 16 + range.reverseTree(align, 0, ALIGN_BITS);
  };

  for (;;) {
    if (at === size && range.finished) return out;
    const positionState = at & positionMask;
    if (range.bit(isMatch, (state << 4) + positionState) === 0) {
      if (at === size) throw damaged('the output is larger than its header says');
      literal();
      continue;
    }
    let length: number;
    if (range.bit(isRepeat, state) !== 0) {
      if (at === 0) throw damaged('it refers to data before its start');
      if (range.bit(isRepeat0, state) === 0) {
        if (range.bit(isLongRepeat0, (state << 4) + positionState) === 0) {
          state = state < 7 ? 9 : 11;
          reserve(1);
          out[at] = out[at - rep0 - 1]!;
          at++;
          continue;
        }
      } else if (range.bit(isRepeat1, state) === 0) [rep0, rep1] = [rep1, rep0];
      else if (range.bit(isRepeat2, state) === 0) [rep0, rep1, rep2] = [rep2, rep0, rep1];
      else [rep0, rep1, rep2, rep3] = [rep3, rep0, rep1, rep2];
      length = repeatLength.read(range, positionState);
      state = state < 7 ? 8 : 11;
    } else {
      [rep1, rep2, rep3] = [rep0, rep1, rep2];
      length = matchLength.read(range, positionState);
      state = state < 7 ? 7 : 10;
      rep0 = distance(length);
      if (rep0 === 0xffffffff) {
        if (size >= 0 && at !== size) throw damaged('the output is smaller than its header says');
        return out.subarray(0, at);
      }
    }
    if (rep0 >= at) throw damaged('it refers to data before its start');
    length += MIN_MATCH;
    reserve(length);
    for (const end = at + length; at < end; at++) out[at] = out[at - rep0 - 1]!;
  }
}
