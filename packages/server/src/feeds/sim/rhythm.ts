// The rhythm of the day and the week: how lively a market usually is at a time, and the clock that follows from it.
// Variance gathers evenly along this clock, so a quiet night is one in which little time passes, not one in which the price
// glides. It counts in buckets of 64 seconds and is constant within one; over an average day it runs as fast as real time.
import { UNIT_MS } from './time-grid.ts';

/** Units of the time grid in one bucket: 64 seconds, 1,350 of them in a day. */
export const BUCKET_UNITS = 512;
const BUCKETS_PER_DAY = 86_400_000 / (BUCKET_UNITS * UNIT_MS);
const BUCKETS_PER_WEEK = 7 * BUCKETS_PER_DAY;

export type RhythmName = 'europe' | 'asia' | 'america' | 'crypto';

/** Liveliness at each full hour of UTC, before it is scaled. */
const HOURLY: Readonly<Record<RhythmName, readonly number[]>> = {
  europe: [5, 5, 5, 5, 5, 6, 8, 12, 13, 11, 10, 10, 12, 14, 15, 14, 12, 9, 8, 7, 6, 4, 4, 5],
  asia: [11, 11, 10, 9, 8, 8, 8, 10, 10, 9, 9, 9, 11, 12, 12, 11, 9, 8, 7, 6, 6, 5, 7, 10],
  america: [5, 5, 5, 5, 5, 5, 6, 8, 8, 7, 7, 8, 10, 15, 17, 14, 12, 11, 12, 14, 9, 5, 4, 5],
  crypto: [10, 9, 9, 9, 9, 8, 8, 9, 9, 9, 9, 10, 11, 13, 14, 14, 12, 11, 11, 11, 10, 9, 9, 10],
};

/** What is left of it at the weekend where markets keep hours, so that Monday opens near Friday's close. */
const AT_REST = 0.15;
/** Friday 22:00 to Sunday 21:00 UTC, in hours since Thursday 00:00, with which the epoch began. */
const REST_FROM = 46;
const REST_UNTIL = 93;

export class Rhythm {
  /** By bucket of the week that begins on Thursday. */
  readonly #liveliness = new Float64Array(BUCKETS_PER_WEEK);
  /** Sum of the squares of all buckets before. */
  readonly #clock = new Float64Array(BUCKETS_PER_WEEK + 1);

  constructor(name: RhythmName, rests: boolean) {
    const hourly = HOURLY[name];
    const dayHour = (bucket: number): number => ((bucket % BUCKETS_PER_DAY) * 24) / BUCKETS_PER_DAY;
    let squares = 0;
    for (let bucket = 0; bucket < BUCKETS_PER_WEEK; bucket++) {
      const hour = Math.floor(dayHour(bucket));
      const from = hourly[hour]!;
      const value = from + (hourly[(hour + 1) % 24]! - from) * (dayHour(bucket) - hour);
      this.#liveliness[bucket] = value;
      squares += value * value;
    }
    const mean = Math.sqrt(squares / BUCKETS_PER_WEEK);
    for (let bucket = 0; bucket < BUCKETS_PER_WEEK; bucket++) {
      const weekHour = (bucket * 168) / BUCKETS_PER_WEEK;
      const resting = rests && weekHour >= REST_FROM && weekHour < REST_UNTIL;
      const value = resting ? AT_REST : this.#liveliness[bucket]! / mean;
      this.#liveliness[bucket] = value;
      this.#clock[bucket + 1] = this.#clock[bucket]! + value * value;
    }
  }

  /** Usual volatility in a bucket as a multiple of that of an average day. */
  at(bucket: number): number {
    return this.#liveliness[bucket % BUCKETS_PER_WEEK]!;
  }

  /** What the clock shows at the beginning of a bucket, in average buckets. */
  clock(bucket: number): number {
    const week = Math.floor(bucket / BUCKETS_PER_WEEK);
    return week * this.#clock[BUCKETS_PER_WEEK]! + this.#clock[bucket - week * BUCKETS_PER_WEEK]!;
  }

  /** How fast the clock runs over whole weeks: 1 without rest. */
  get pace(): number {
    return this.#clock[BUCKETS_PER_WEEK]! / BUCKETS_PER_WEEK;
  }
}
