// How lively a factor is at a time, as a multiple of its own average: the rhythm of the day times regimes that come and
// go over minutes, hours and days. Regimes have a mean square of 1 over a long time, so a factor's daily volatility stays
// what its table says.
import { drift, scramble } from './noise.ts';
import type { Rhythm } from './rhythm.ts';

/** Regimes renew themselves every 2^shift buckets: about 18 hours, 2.3 hours, 17 minutes. */
const REGIME_SHIFTS = [10, 7, 4] as const;
const REGIME_STRENGTH = 0.3;
/** exp of a normal has mean square exp(2 s²): this takes it back to 1. The noise has a variance of 0.74. */
const REGIME_SCALE = Math.exp(-REGIME_SHIFTS.length * 0.74 * REGIME_STRENGTH * REGIME_STRENGTH);

export class Volatility {
  readonly rhythm: Rhythm;
  readonly #keys: readonly number[];
  /** The last answer: neighbouring questions fall in the same bucket. */
  #bucket = -1;
  #value = 1;

  constructor(key: number, rhythm: Rhythm) {
    this.rhythm = rhythm;
    this.#keys = REGIME_SHIFTS.map((shift) => scramble(key + shift));
  }

  at(bucket: number): number {
    if (bucket === this.#bucket) return this.#value;
    this.#bucket = bucket;
    this.#value = this.rhythm.at(bucket) * this.regime(bucket);
    return this.#value;
  }

  /** The regime alone, without the rhythm of the day. */
  regime(bucket: number): number {
    let sum = 0;
    for (let octave = 0; octave < REGIME_SHIFTS.length; octave++)
      sum += drift(this.#keys[octave]!, bucket, REGIME_SHIFTS[octave]!);
    return REGIME_SCALE * Math.exp(REGIME_STRENGTH * sum);
  }
}
