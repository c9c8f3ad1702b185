// Stateless pseudo-random numbers, which depend only on their integer arguments. Only integer arithmetic, additions and
// multiplications are used, so that every machine gets the same bits. Sums are truncated to 32 bits immediately: larger
// numbers would be several times slower.

/** Step between the states of a short random sequence: 2^32 divided by the golden ratio, odd. */
export const STEP = 0x9e3779b1 | 0;
const GAUSSIAN_SCALE = Math.sqrt(3) / 65_536;

/** A bijective 32-bit hash: neighbouring inputs give unrelated outputs. */
export function scramble(word: number): number {
  let x = word | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}

/** A 32-bit hash of a key and an integer of up to 53 bits. */
export function keyed(key: number, value: number): number {
  const high = Math.floor(value / 4_294_967_296);
  return scramble(scramble((key + Math.imul(high, STEP)) | 0) ^ scramble(((value | 0) + 0x51ed270b) | 0));
}

/** A 32-bit hash of a key and a name. */
export function keyedByName(key: number, name: string): number {
  let state = scramble(key ^ 0x2545f491);
  for (let at = 0; at < name.length; at++) state = scramble((Math.imul(state, 31) + name.charCodeAt(at)) | 0);
  return state;
}

/** 0 ≤ u < 1 from 32 bits. */
export const uniform = (word: number): number => (word >>> 0) / 4_294_967_296;

/**
 * Nearly normal with mean 0 and variance 1, within ±3.5: the sum of four uniform 16-bit numbers. Fat tails come from the
 * changing volatility.
 */
export function gaussian(word: number): number {
  const first = scramble(word);
  const second = scramble((first + STEP) | 0);
  const sum = (first >>> 16) + (first & 0xffff) + (second >>> 16) + (second & 0xffff);
  return (sum - 131_070) * GAUSSIAN_SCALE;
}

/** Smooth noise along an integer axis, with a new normal value every 2^shift steps. Variance about 0.74. */
export class SmoothNoise {
  readonly #key: number;
  readonly #shift: number;
  /** Values at both ends of the current cell: consecutive calls are often for the same one. */
  #cell = Number.NaN;
  #from = 0;
  #to = 0;

  constructor(key: number, shift: number) {
    this.#key = key;
    this.#shift = shift;
  }

  at(place: number): number {
    const cell = place >> this.#shift;
    if (cell !== this.#cell) {
      this.#cell = cell;
      this.#from = gaussian((this.#key + Math.imul(cell, STEP)) | 0);
      this.#to = gaussian((this.#key + Math.imul(cell + 1, STEP)) | 0);
    }
    const part = (place - (cell << this.#shift)) / (1 << this.#shift);
    return this.#from + (this.#to - this.#from) * part * part * (3 - 2 * part);
  }
}
