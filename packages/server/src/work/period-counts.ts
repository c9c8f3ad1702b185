// Counts by key in fixed periods of UTC, such as days. All counts start over with the next period. If the clock is set back, the
// later period continues.
import { DAY_MS, SECOND_MS } from '@tickwire/engine';
import { Counts } from './counts.ts';

export class PeriodCounts<K = string> {
  readonly #periodMs: number;
  #period = 0;
  #counts = new Counts<K>();

  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  /** Counts that were made before, in the period of `now`. */
  restore(counts: ReadonlyMap<K, number>, now: number): void {
    this.#period = Math.floor(now / this.#periodMs);
    this.#counts = new Counts(counts);
  }

  get(key: K, now: number): number {
    return this.#at(now).get(key);
  }

  /** Returns the new count. */
  add(key: K, change: number, now: number): number {
    return this.#at(now).add(key, change);
  }

  /** Takes back what was counted at `then`, unless its period is over. */
  giveBack(key: K, count: number, then: number): void {
    if (Math.floor(then / this.#periodMs) === this.#period) this.#counts.add(key, -count);
  }

  #at(now: number): Counts<K> {
    const period = Math.floor(now / this.#periodMs);
    if (period > this.#period) {
      this.#period = period;
      this.#counts = new Counts();
    }
    return this.#counts;
  }
}

/** 00:00 UTC of the day. */
export const startOfDay = (time: number): number => time - (time % DAY_MS);

/** Whole seconds until the counts of a day start over. */
export const secondsToMidnight = (now: number): number => Math.ceil((DAY_MS - (now % DAY_MS)) / SECOND_MS);
