// The log-value of one factor at any time, as a pure function of its key: a Brownian path built by midpoint displacement along
// the clock of the factor's activity profile. Independent anchors lie every 97 days; between them each halving displaces the
// midpoint by a normal step keyed by that midpoint, down to the 125 ms unit. The value of a time therefore does not depend on
// what was read before.
//
// The cursor caches the current interval on every level, so moving on in small steps costs about one random draw per unit.

import { BUCKET_UNITS } from './activity-profile.ts';
import { gaussian, keyed, STEP } from './noise.ts';
import { ANCHOR_LEVEL, UNITS_PER_DAY } from './time-grid.ts';
import type { Volatility } from './volatility.ts';

const ANCHOR_UNITS = 2 ** ANCHOR_LEVEL;
/** Volatility regimes apply to intervals up to this level (36 hours), so that a calm period has no visible long slope. */
const REGIME_LEVEL = 20;
/** Intervals up to this level lie within one bucket, where the clock has constant speed. */
const BUCKET_LEVEL = 31 - Math.clz32(BUCKET_UNITS);

export class FactorPath {
  /** Log-values at both ends of the current unit, after `seek`. */
  left = 0;
  right = 0;
  readonly #key: number;
  readonly #volatility: Volatility;
  readonly #anchorSpread: number;
  readonly #bucketVariance: number;
  /** Standard deviation of the midpoint in an interval of each level within an average bucket. */
  readonly #displacement = new Float64Array(BUCKET_LEVEL + 1);
  /** Both ends of the current interval on each level: log-values, and for long intervals the clock. */
  readonly #lefts = new Float64Array(ANCHOR_LEVEL + 1);
  readonly #rights = new Float64Array(ANCHOR_LEVEL + 1);
  readonly #leftClocks = new Float64Array(ANCHOR_LEVEL + 1);
  readonly #rightClocks = new Float64Array(ANCHOR_LEVEL + 1);
  #anchor = -1;
  #anchorKey = 0;
  #anchorBucket = 0;
  #offset = -1;
  /** The lowest level whose interval is known. */
  #depth = ANCHOR_LEVEL;

  /** `dailyVol`: standard deviation of the log-value's change over an average day. */
  constructor(key: number, dailyVol: number, volatility: Volatility) {
    this.#key = key;
    this.#volatility = volatility;
    const variancePerUnit = (dailyVol * dailyVol) / UNITS_PER_DAY;
    // Two independent anchors differ by twice their variance, which equals the variance of the path between them.
    this.#anchorSpread = Math.sqrt((variancePerUnit * ANCHOR_UNITS * volatility.profile.speed) / 2);
    this.#bucketVariance = variancePerUnit * BUCKET_UNITS;
    for (let level = 1; level <= BUCKET_LEVEL; level++)
      this.#displacement[level] = Math.sqrt((variancePerUnit * 2 ** level) / 4);
  }

  /** The log-value at the start of a unit. Goes only as deep as needed, so coarse times are cheap. */
  at(unit: number): number {
    const lowest = unit & -unit;
    this.#move(unit, lowest === 0 ? ANCHOR_LEVEL : Math.min(ANCHOR_LEVEL, 31 - Math.clz32(lowest)));
    return this.left;
  }

  /** Moves the cursor to the unit that starts at `unit`. */
  seek(unit: number): void {
    this.#move(unit, 0);
  }

  /** Moves to the interval of the level `depth` that contains the unit. */
  #move(unit: number, depth: number): void {
    const anchor = Math.floor(unit / ANCHOR_UNITS);
    // Tells the compiler that this is an integer.
    const offset = (unit - anchor * ANCHOR_UNITS) | 0;
    let level = ANCHOR_LEVEL;
    if (anchor === this.#anchor) {
      const changed = offset ^ this.#offset;
      if (changed === 0 && this.#depth === depth) return;
      level = Math.max(this.#depth, 32 - Math.clz32(changed));
    } else this.#enterAnchor(anchor);
    this.#offset = offset;
    this.#depth = Math.min(level, depth);
    this.#descend(offset, level, depth);
  }

  #enterAnchor(anchor: number): void {
    this.#anchor = anchor;
    this.#anchorKey = keyed(this.#key, anchor);
    this.#anchorBucket = (anchor * (ANCHOR_UNITS / BUCKET_UNITS)) | 0;
    this.#lefts[ANCHOR_LEVEL] = this.#anchorSpread * gaussian(this.#anchorKey);
    this.#rights[ANCHOR_LEVEL] = this.#anchorSpread * gaussian(keyed(this.#key, anchor + 1));
    const { profile } = this.#volatility;
    this.#leftClocks[ANCHOR_LEVEL] = profile.clock(this.#anchorBucket);
    this.#rightClocks[ANCHOR_LEVEL] = profile.clock(this.#anchorBucket + ANCHOR_UNITS / BUCKET_UNITS);
  }

  /** From an interval of the level `from`, whose ends are known, down to the level `depth`. */
  #descend(offset: number, from: number, depth: number): void {
    const lefts = this.#lefts;
    const rights = this.#rights;
    if (from > BUCKET_LEVEL) this.#descendToBucket(offset, from, depth);
    const top = Math.min(from, BUCKET_LEVEL);
    if (top > depth) {
      const volatility = this.#volatility.at(this.#anchorBucket + (offset >> BUCKET_LEVEL));
      const displacement = this.#displacement;
      let left = lefts[top]!;
      let right = rights[top]!;
      for (let level = top; level > depth; level--) {
        const half = 1 << (level - 1);
        const middle = ((offset >> level) << level) | half;
        const value = (left + right) * 0.5 + displacement[level]! * volatility * this.#draw(middle);
        if (offset & half) left = value;
        else right = value;
        lefts[level - 1] = left;
        rights[level - 1] = right;
      }
    }
    this.left = lefts[depth]!;
    this.right = rights[depth]!;
  }

  /** Long intervals, in which the speed of the clock varies: the clock determines where the midpoint lies. */
  #descendToBucket(offset: number, from: number, depth: number): void {
    const { profile } = this.#volatility;
    let left = this.#lefts[from]!;
    let right = this.#rights[from]!;
    let leftClock = this.#leftClocks[from]!;
    let rightClock = this.#rightClocks[from]!;
    const last = Math.max(BUCKET_LEVEL, depth);
    for (let level = from; level > last; level--) {
      const half = 1 << (level - 1);
      const middle = ((offset >> level) << level) | half;
      const bucket = this.#anchorBucket + (middle >> BUCKET_LEVEL);
      const clock = profile.clock(bucket);
      const part = (clock - leftClock) / (rightClock - leftClock);
      const regime = level <= REGIME_LEVEL ? this.#volatility.regime(bucket) : 1;
      const spread = Math.sqrt(this.#bucketVariance * part * (rightClock - clock)) * regime;
      const value = left + (right - left) * part + spread * this.#draw(middle);
      if (offset & half) {
        left = value;
        leftClock = clock;
      } else {
        right = value;
        rightClock = clock;
      }
      this.#lefts[level - 1] = left;
      this.#rights[level - 1] = right;
      this.#leftClocks[level - 1] = leftClock;
      this.#rightClocks[level - 1] = rightClock;
    }
  }

  #draw(middle: number): number {
    return gaussian((this.#anchorKey + Math.imul(middle, STEP)) | 0);
  }
}
