// Pseudo-random numbers that depend only on a secret key and integer arguments. Only integer arithmetic, additions and
// multiplications are used, so that every machine gets the same bits.
//
// A draw is the tag of one block of 16 bytes by Chaskey, a message authentication code with a 128-bit key for 32-bit processors (Mouha
// and others, 2014). It takes about 30 ns. Prices are public: with a short key, anyone could search for it and compute the future.

const ROUNDS = 8;
const TWO_32 = 4_294_967_296;
const GAUSSIAN_SCALE = Math.sqrt(3) / 65_536;
/** Derived keys use a purpose that no draw has. */
const DERIVED = -1;

export class Noise {
  /** The four words of the last draw. */
  a = 0;
  b = 0;
  c = 0;
  d = 0;
  readonly #k0: number;
  readonly #k1: number;
  readonly #k2: number;
  readonly #k3: number;
  // The key times two in the field of 2^128 elements.
  readonly #l0: number;
  readonly #l1: number;
  readonly #l2: number;
  readonly #l3: number;

  /** The key, as four words. */
  constructor(k0: number, k1: number, k2: number, k3: number) {
    this.#l0 = (k0 << 1) ^ (k3 >> 31 ? 0x87 : 0);
    this.#l1 = (k1 << 1) | (k0 >>> 31);
    this.#l2 = (k2 << 1) | (k1 >>> 31);
    this.#l3 = (k3 << 1) | (k2 >>> 31);
    this.#k0 = k0 ^ this.#l0;
    this.#k1 = k1 ^ this.#l1;
    this.#k2 = k2 ^ this.#l2;
    this.#k3 = k3 ^ this.#l3;
  }

  /** Draws four random words for a value of up to 53 bits. Draws of another purpose are independent. */
  draw(value: number, purpose = 0): this {
    let v0 = value ^ this.#k0;
    let v1 = Math.floor(value / TWO_32) ^ this.#k1;
    let v2 = purpose ^ this.#k2;
    let v3 = this.#k3;
    for (let round = 0; round < ROUNDS; round++) {
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 13) | (v3 >>> 19)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 7) | (v1 >>> 25)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
    }
    this.a = v0 ^ this.#l0;
    this.b = v1 ^ this.#l1;
    this.c = v2 ^ this.#l2;
    this.d = v3 ^ this.#l3;
    return this;
  }

  /** 0 ≤ u < 1. */
  uniform(value: number, purpose = 0): number {
    return uniform(this.draw(value, purpose).a);
  }

  gaussian(value: number, purpose = 0): number {
    this.draw(value, purpose);
    return gaussian(this.a, this.b);
  }

  /** Independent noise for each value. */
  derived(value: number): Noise {
    const { a, b, c, d } = this.draw(value, DERIVED);
    return new Noise(a, b, c, d);
  }

  /** Independent noise for each name. */
  named(name: string): Noise {
    let noise: Noise = this;
    for (let at = 0; at < name.length; at++) noise = noise.derived(name.charCodeAt(at));
    return noise;
  }
}

/** For draws that may be known to everybody. */
export const PUBLIC_NOISE = new Noise(0, 0, 0, 0);

/** 0 ≤ u < 1 from 32 bits. */
export const uniform = (word: number): number => (word >>> 0) / TWO_32;

/**
 * Nearly normal with mean 0 and variance 1, within ±3.5: the sum of the four uniform 16-bit numbers in two words. Fat tails come
 * from the changing volatility.
 */
export const gaussian = (first: number, second: number): number =>
  ((first >>> 16) + (first & 0xffff) + (second >>> 16) + (second & 0xffff) - 131_070) * GAUSSIAN_SCALE;

/** Smooth noise along an integer axis, with a new normal value every 2^shift steps. Variance about 0.74. */
export class SmoothNoise {
  readonly #noise: Noise;
  readonly #shift: number;
  /** Values at both ends of the current cell: consecutive calls are often for the same one. */
  #cell = Number.NaN;
  #from = 0;
  #to = 0;

  constructor(noise: Noise, shift: number) {
    this.#noise = noise;
    this.#shift = shift;
  }

  at(place: number): number {
    const cell = place >> this.#shift;
    if (cell !== this.#cell) {
      this.#cell = cell;
      this.#from = this.#noise.gaussian(cell);
      this.#to = this.#noise.gaussian(cell + 1);
    }
    const part = (place - (cell << this.#shift)) / (1 << this.#shift);
    return this.#from + (this.#to - this.#from) * part * part * (3 - 2 * part);
  }
}
