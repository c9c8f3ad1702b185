// The log-value of one factor at any time, as a pure function of its noise: a Brownian path built by midpoint displacement along
// the clock of the factor's activity profile. Independent anchors lie every 97 days; between them each halving displaces the
// midpoint by a normal step keyed by that midpoint, down to the 125 ms unit. The value of a time therefore does not depend on
// what was read before.
//
// The cursor caches the current interval on every level, so moving on in small steps costs about one random draw per unit.
// A day of minutes is read level by level instead, which takes less time than single reads in the order of divided bars.

import { BUCKET_UNITS } from './activity-profile.ts';
import type { Noise } from './noise.ts';
import { ANCHOR_LEVEL, UNITS_PER_DAY, UNITS_PER_MINUTE } from './time-grid.ts';
import type { Volatility } from './volatility.ts';

const ANCHOR_UNITS = 2 ** ANCHOR_LEVEL;
/** A power of two, so that the product is exact. */
const ANCHORS_PER_UNIT = 1 / ANCHOR_UNITS;
/** Volatility regimes apply to intervals up to this level (36 hours), so that a calm period has no visible long slope. */
const REGIME_LEVEL = 20;
/** Intervals up to this level lie within one bucket, where the clock has constant speed. */
const BUCKET_LEVEL = 31 - Math.clz32(BUCKET_UNITS);
/** Minutes are read in blocks of this many buckets. */
const BLOCK_BUCKETS = 2 ** (REGIME_LEVEL - BUCKET_LEVEL);
const BLOCK_UNITS = 2 ** REGIME_LEVEL;
/** Of the block that is being read: log-values and clocks at the ends of its buckets. */
const bucketValues = new Float64Array(BLOCK_BUCKETS + 1);
const bucketClocks = new Float64Array(BLOCK_BUCKETS + 1);

export class FactorPath {
  /** Log-values at both ends of the current unit, after `seek`. */
  left = 0;
  right = 0;
  readonly #noise: Noise;
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
  #anchorBucket = 0;
  #offset = -1;
  /** The lowest level whose interval is known. */
  #depth = ANCHOR_LEVEL;

  /** `dailyVol`: standard deviation of the log-value's change over an average day. */
  constructor(noise: Noise, dailyVol: number, volatility: Volatility) {
    this.#noise = noise;
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
    const anchor = Math.floor(unit * ANCHORS_PER_UNIT);
    const offset = (unit - anchor * ANCHOR_UNITS) | 0;
    // The level of the longest interval that starts there.
    this.#move(anchor, offset, offset === 0 ? ANCHOR_LEVEL : 31 - Math.clz32(offset & -offset));
    return this.left;
  }

  /** Moves the cursor to the unit that starts at `unit`. */
  seek(unit: number): void {
    const anchor = Math.floor(unit * ANCHORS_PER_UNIT);
    this.#move(anchor, (unit - anchor * ANCHOR_UNITS) | 0, 0);
  }

  /** Log-values at the whole minutes from the unit `first`. Each is that of `at`. */
  readMinutes(first: number, into: Float64Array): void {
    let minute = 0;
    while (minute < into.length) {
      const start = Math.floor((first + minute * UNITS_PER_MINUTE) / BLOCK_UNITS) * BLOCK_UNITS;
      const count = Math.min(into.length, Math.ceil((start + BLOCK_UNITS - first) / UNITS_PER_MINUTE));
      const from = first + minute * UNITS_PER_MINUTE - start;
      const to = first + (count - 1) * UNITS_PER_MINUTE - start;
      this.#readBuckets(start, from >> BUCKET_LEVEL, (to + BUCKET_UNITS - 1) >> BUCKET_LEVEL);
      const origin = (start - this.#anchor * ANCHOR_UNITS) | 0;
      for (let unit = from; minute < count; minute++, unit += UNITS_PER_MINUTE)
        into[minute] = this.#withinBucket(origin, unit);
    }
  }

  /** Reads the ends of the buckets `from` to `to` of the block that starts at the unit `start`. */
  #readBuckets(start: number, from: number, to: number): void {
    // The left end last: the cursor must be at the anchor of the block.
    bucketValues[BLOCK_BUCKETS] = this.at(start + BLOCK_UNITS);
    bucketValues[0] = this.at(start);
    const { profile } = this.#volatility;
    const origin = (start - this.#anchor * ANCHOR_UNITS) | 0;
    const first = this.#anchorBucket + (origin >> BUCKET_LEVEL);
    profile.readClock(first, bucketClocks);
    for (let length = BLOCK_BUCKETS; length > 1; length >>= 1) {
      const half = length >> 1;
      for (let left = from & -length; left < to; left += length) {
        const middle = left + half;
        const right = left + length;
        const clock = bucketClocks[middle]!;
        const rightClock = bucketClocks[right]!;
        const part = (clock - bucketClocks[left]!) / (rightClock - bucketClocks[left]!);
        const regime = this.#volatility.regime(first + middle);
        const spread = Math.sqrt(this.#bucketVariance * part * (rightClock - clock)) * regime;
        const value = bucketValues[left]!;
        bucketValues[middle] =
          value + (bucketValues[right]! - value) * part + spread * this.#draw(origin + middle * BUCKET_UNITS);
      }
    }
  }

  /** `unit`: counted from the start of the block, which is `origin` units after the anchor. */
  #withinBucket(origin: number, unit: number): number {
    const bucket = unit >> BUCKET_LEVEL;
    let left = bucketValues[bucket]!;
    const rest = unit & (BUCKET_UNITS - 1);
    if (rest === 0) return left;
    let right = bucketValues[bucket + 1]!;
    const offset = origin + unit;
    const depth = 31 - Math.clz32(rest & -rest);
    const volatility = this.#volatility.at(this.#anchorBucket + (offset >> BUCKET_LEVEL));
    for (let level = BUCKET_LEVEL; level > depth; level--) {
      const half = 1 << (level - 1);
      const middle = ((offset >> level) << level) | half;
      const value = (left + right) * 0.5 + this.#displacement[level]! * volatility * this.#draw(middle);
      if (offset & half) left = value;
      else right = value;
    }
    return left;
  }

  /** Moves to the interval of the level `depth` that contains a unit, in units since an anchor. */
  #move(anchor: number, offset: number, depth: number): void {
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
    this.#anchorBucket = (anchor * (ANCHOR_UNITS / BUCKET_UNITS)) | 0;
    this.#lefts[ANCHOR_LEVEL] = this.#anchorSpread * this.#noise.gaussian(0, anchor);
    this.#rights[ANCHOR_LEVEL] = this.#anchorSpread * this.#noise.gaussian(0, anchor + 1);
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

  /** `middle`: units since the anchor; 0 is the anchor itself. */
  #draw(middle: number): number {
    return this.#noise.gaussian(middle, this.#anchor);
  }
}
