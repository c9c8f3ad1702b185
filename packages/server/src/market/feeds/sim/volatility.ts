// The volatility of a factor at a time, as a multiple of its average: the activity profile times regimes that change over
// minutes, hours and days. Regimes have a mean square of 1 over a long time, so a factor keeps the daily volatility of its
// table.

import type { ActivityProfile } from './activity-profile.ts';
import { type Noise, SmoothNoise } from './noise.ts';
import { exp } from './portable-math.ts';

/** Regimes change every 2^shift buckets: about 18 hours, 2.3 hours, 17 minutes. */
const REGIME_SHIFTS = [10, 7, 4] as const;
const REGIME_STRENGTH = 0.3;
/** The exp of a normal has mean square exp(2 s²): this scales it to 1. The noise has a variance of 0.74. */
const REGIME_SCALE = exp(-REGIME_SHIFTS.length * 0.74 * REGIME_STRENGTH * REGIME_STRENGTH);

/** About 36 hours: more than the day that history reads once for each timeframe. */
const CACHED_BUCKETS = 2048;

export class Volatility {
  readonly profile: ActivityProfile;
  readonly #octaves: readonly SmoothNoise[];
  /** Regimes by the last bits of their bucket: history reads each several times. */
  readonly #cachedBuckets = new Int32Array(CACHED_BUCKETS).fill(-1);
  readonly #cachedRegimes = new Float64Array(CACHED_BUCKETS);
  /** Cache of the last bucket: consecutive calls are often for the same one. */
  #bucket = -1;
  #value = 1;

  constructor(noise: Noise, profile: ActivityProfile) {
    this.profile = profile;
    this.#octaves = REGIME_SHIFTS.map((shift) => new SmoothNoise(noise.derived(shift), shift));
  }

  at(bucket: number): number {
    if (bucket === this.#bucket) return this.#value;
    this.#bucket = bucket;
    this.#value = this.profile.at(bucket) * this.regime(bucket);
    return this.#value;
  }

  /** The regime without the activity profile. */
  regime(bucket: number): number {
    const slot = bucket & (CACHED_BUCKETS - 1);
    if (this.#cachedBuckets[slot] === bucket) return this.#cachedRegimes[slot]!;
    const regime = this.#regimeOf(bucket);
    this.#cachedBuckets[slot] = bucket;
    this.#cachedRegimes[slot] = regime;
    return regime;
  }

  #regimeOf(bucket: number): number {
    let sum = 0;
    for (let octave = 0; octave < REGIME_SHIFTS.length; octave++) sum += this.#octaves[octave]!.at(bucket);
    return REGIME_SCALE * exp(REGIME_STRENGTH * sum);
  }
}
