// How active a market usually is over the day and the week, and a clock that follows from it. Variance grows evenly along this
// clock: in a quiet night little of its time passes. It counts in buckets of 64 seconds, has constant speed within one, and
// runs as fast as real time on average.
import { DAY_MS } from '@tickwire/engine';
import { UNIT_MS } from './time-grid.ts';

/** Units of the time grid in one bucket: 64 seconds, 1,350 of them in a day. */
export const BUCKET_UNITS = 512;
const BUCKETS_PER_DAY = DAY_MS / (BUCKET_UNITS * UNIT_MS);
const BUCKETS_PER_WEEK = 7 * BUCKETS_PER_DAY;

export type ProfileName = 'europe' | 'asia' | 'america' | 'crypto';

/** Activity at each full hour UTC, before scaling. */
const HOURLY: Readonly<Record<ProfileName, readonly number[]>> = {
  europe: [5, 5, 5, 5, 5, 6, 8, 12, 13, 11, 10, 10, 12, 14, 15, 14, 12, 9, 8, 7, 6, 4, 4, 5],
  asia: [11, 11, 10, 9, 8, 8, 8, 10, 10, 9, 9, 9, 11, 12, 12, 11, 9, 8, 7, 6, 6, 5, 7, 10],
  america: [5, 5, 5, 5, 5, 5, 6, 8, 8, 7, 7, 8, 10, 15, 17, 14, 12, 11, 12, 14, 9, 5, 4, 5],
  crypto: [10, 9, 9, 9, 9, 8, 8, 9, 9, 9, 9, 10, 11, 13, 14, 14, 12, 11, 11, 11, 10, 9, 9, 10],
};

/** Activity at the weekend in markets with trading hours: small, so that Monday opens near Friday's close. */
const WEEKEND_ACTIVITY = 0.15;
/** Friday 22:00 to Sunday 21:00 UTC, in hours since Thursday 00:00: the Unix epoch started on a Thursday. */
const WEEKEND_FROM = 46;
const WEEKEND_UNTIL = 93;

export class ActivityProfile {
  /** By bucket of the week, which starts on Thursday. */
  readonly #activity = new Float64Array(BUCKETS_PER_WEEK);
  /** Sum of the squared activity of all earlier buckets. */
  readonly #clock = new Float64Array(BUCKETS_PER_WEEK + 1);

  constructor(name: ProfileName, hasWeekend: boolean) {
    const hourly = HOURLY[name];
    const dayHour = (bucket: number): number => ((bucket % BUCKETS_PER_DAY) * 24) / BUCKETS_PER_DAY;
    let squares = 0;
    for (let bucket = 0; bucket < BUCKETS_PER_WEEK; bucket++) {
      const hour = Math.floor(dayHour(bucket));
      const from = hourly[hour]!;
      const value = from + (hourly[(hour + 1) % 24]! - from) * (dayHour(bucket) - hour);
      this.#activity[bucket] = value;
      squares += value * value;
    }
    const mean = Math.sqrt(squares / BUCKETS_PER_WEEK);
    for (let bucket = 0; bucket < BUCKETS_PER_WEEK; bucket++) {
      const weekHour = (bucket * 168) / BUCKETS_PER_WEEK;
      const isWeekend = hasWeekend && weekHour >= WEEKEND_FROM && weekHour < WEEKEND_UNTIL;
      const value = isWeekend ? WEEKEND_ACTIVITY : this.#activity[bucket]! / mean;
      this.#activity[bucket] = value;
      this.#clock[bucket + 1] = this.#clock[bucket]! + value * value;
    }
  }

  /** Usual volatility in a bucket as a multiple of the average. */
  at(bucket: number): number {
    return this.#activity[bucket % BUCKETS_PER_WEEK]!;
  }

  /** The clock at the start of a bucket, in average buckets. */
  clock(bucket: number): number {
    const week = Math.floor(bucket / BUCKETS_PER_WEEK);
    return week * this.#clock[BUCKETS_PER_WEEK]! + this.#clock[bucket - week * BUCKETS_PER_WEEK]!;
  }

  /** The clock at the start of consecutive buckets. */
  readClock(first: number, into: Float64Array): void {
    let week = Math.floor(first / BUCKETS_PER_WEEK);
    let place = first - week * BUCKETS_PER_WEEK;
    for (let at = 0; at < into.length; at++, place++) {
      if (place === BUCKETS_PER_WEEK) {
        week++;
        place = 0;
      }
      into[at] = week * this.#clock[BUCKETS_PER_WEEK]! + this.#clock[place]!;
    }
  }

  /** Average speed of the clock over whole weeks: 1 without weekends. */
  get speed(): number {
    return this.#clock[BUCKETS_PER_WEEK]! / BUCKETS_PER_WEEK;
  }
}
