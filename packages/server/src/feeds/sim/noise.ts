// Randomness without state: numbers that depend on nothing but the integers put in. Only integer arithmetic, additions
// and multiplications are used, so that every machine gets the same bits. Sums of words are cut to 32 bits at once: left
// as larger numbers they would be several times slower.

/** Step between the states of a short random sequence: 2^32 over the golden ratio, odd. */
export const STEP = 0x9e3779b1 | 0;
const GAUSSIAN_SCALE = Math.sqrt(3) / 65_536;

/** Scrambles 32 bits one to one; neighbouring inputs give unrelated outputs. */
export function scramble(word: number): number {
  let x = word | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}

/** A 32-bit key from a key and an integer of up to 53 bits. */
export function keyed(key: number, value: number): number {
  const high = Math.floor(value / 4_294_967_296);
  return scramble(scramble((key + Math.imul(high, STEP)) | 0) ^ scramble(((value | 0) + 0x51ed270b) | 0));
}

/** A key from a key and a name. */
export function keyedByName(key: number, name: string): number {
  let state = scramble(key ^ 0x2545f491);
  for (let at = 0; at < name.length; at++) state = scramble((Math.imul(state, 31) + name.charCodeAt(at)) | 0);
  return state;
}

/** 0 ≤ u < 1 from 32 bits. */
export const uniform = (word: number): number => (word >>> 0) / 4_294_967_296;

/**
 * Near-normal with mean 0 and variance 1, never beyond ±3.5: the sum of four uniforms of 16 bits each. Fat tails come
 * from the changing volatility, not from here.
 */
export function gaussian(word: number): number {
  const first = scramble(word);
  const second = scramble((first + STEP) | 0);
  const sum = (first >>> 16) + (first & 0xffff) + (second >>> 16) + (second & 0xffff);
  return (sum - 131_070) * GAUSSIAN_SCALE;
}

/** Smooth noise along an integer axis, with a fresh normal value every 2^shift steps. Variance about 0.74. */
export function drift(key: number, at: number, shift: number): number {
  const cell = at >> shift;
  const part = (at - (cell << shift)) / (1 << shift);
  const from = gaussian((key + Math.imul(cell, STEP)) | 0);
  const to = gaussian((key + Math.imul(cell + 1, STEP)) | 0);
  return from + (to - from) * part * part * (3 - 2 * part);
}
