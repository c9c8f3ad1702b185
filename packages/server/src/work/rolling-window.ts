// Allows at most `limit` requests in ANY rolling window, such as a minute, all of them usable in one burst. It keeps the time of
// each counted request (epoch milliseconds) and drops those that left the window on the next call, so the remaining number
// and the time until the next free request need no search.
import { MINUTE_MS } from '@tickwire/engine';

/** Requests this close together are saved as one time with a count. */
const SAVED_STEP_MS = 250;

export interface RollingWindowOptions {
  /** Default: a minute. */
  readonly windowMs?: number;
  /** What `saved` returned in an earlier run. */
  readonly saved?: readonly number[] | undefined;
  /** Times in `saved` that are later (the clock was set back) count as this time, so that they do not block longer. */
  readonly now?: number;
}

export class RollingWindow {
  readonly #windowMs: number;
  /** Ring of request times in ms, ascending from #oldest. */
  #times: Float64Array;
  #oldest = 0;
  /** Time of the oldest counted request; infinite if there is none. Read on every call, without a look into the large ring. */
  #oldestTime = Number.POSITIVE_INFINITY;
  #used = 0;

  constructor(
    limit: number,
    { windowMs = MINUTE_MS, saved = [], now = Number.POSITIVE_INFINITY }: RollingWindowOptions = {},
  ) {
    this.#windowMs = windowMs;
    this.#times = new Float64Array(limit);
    const times: number[] = [];
    for (const entry of saved) {
      if (entry >= 0) times.push(Math.min(entry, now));
      else for (let more = Math.max(entry, -limit); more < 0; more++) times.push(times.at(-1) ?? 0);
    }
    this.#fill(times);
  }

  get limit(): number {
    return this.#times.length;
  }

  /** Counts a request, or returns false if the limit is reached. */
  take(now: number): boolean {
    this.#expire(now);
    if (this.#used === this.#times.length) return false;
    if (this.#used === 0) this.#oldestTime = now;
    this.#times[this.#slot(this.#used++)] = now;
    return true;
  }

  remaining(now: number): number {
    this.#expire(now);
    return this.#times.length - this.#used;
  }

  /** Milliseconds until the oldest counted request leaves the window; 0 if there is none. */
  resetMs(now: number): number {
    this.#expire(now);
    return this.#used === 0 ? 0 : this.#oldestTime + this.#windowMs - now;
  }

  /**
   * The counted requests in a compact form, oldest first: times, each followed by −n if it stands for n more requests.
   * Requests of one step are saved with the time of the last, so that none expires early after a restart.
   */
  saved(now: number): number[] {
    this.#expire(now);
    const saved: number[] = [];
    let index = 0;
    while (index < this.#used) {
      const first = index;
      const start = this.#times[this.#slot(first)]!;
      let last = start;
      for (index++; index < this.#used; index++) {
        const time = this.#times[this.#slot(index)]!;
        if (time >= start + SAVED_STEP_MS) break;
        last = time;
      }
      saved.push(last);
      if (index - first > 1) saved.push(first + 1 - index);
    }
    return saved;
  }

  /** Changes the limit. Counted requests stay counted. */
  resize(limit: number, now: number): void {
    this.#expire(now);
    const times = Array.from({ length: this.#used }, (_, index) => this.#times[this.#slot(index)]!);
    this.#times = new Float64Array(limit);
    this.#fill(times);
  }

  /** Mirrors the count held by the shared limiter. `resetMs`: until the oldest counted request leaves the window. */
  mirror({ remaining, resetMs }: { readonly remaining: number; readonly resetMs: number }, now: number): void {
    const used = Math.max(0, this.#times.length - remaining);
    this.#times.fill(now + resetMs - this.#windowMs, 0, used);
    this.#begin(used);
  }

  #fill(times: readonly number[]): void {
    const kept = times.slice(Math.max(0, times.length - this.#times.length));
    this.#times.set(kept);
    this.#begin(kept.length);
  }

  /** Counts the first `used` times of the ring. */
  #begin(used: number): void {
    this.#oldest = 0;
    this.#used = used;
    this.#setOldestTime();
  }

  #setOldestTime(): void {
    this.#oldestTime = this.#used === 0 ? Number.POSITIVE_INFINITY : this.#times[this.#oldest]!;
  }

  #expire(now: number): void {
    const start = now - this.#windowMs;
    while (this.#oldestTime <= start) {
      this.#oldest = this.#oldest + 1 === this.#times.length ? 0 : this.#oldest + 1;
      this.#used--;
      this.#setOldestTime();
    }
  }

  #slot(index: number): number {
    const slot = this.#oldest + index;
    return slot < this.#times.length ? slot : slot - this.#times.length;
  }
}
