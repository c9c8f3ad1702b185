// The REST allowance: at most `limit` requests in ANY rolling 60 seconds, all of them usable in one burst.
// It keeps the time of each counted request, and drops those that left the window when it is next asked: what is left and
// when the next is free are then known without a search.

export const WINDOW_MS = 60_000;
/** Requests that were so near to each other are saved as one time and their number. */
const SAVED_STEP_MS = 250;

export class RollingMinute {
  /** Ring of request times in ms, ascending from #oldest. */
  #times: Float64Array;
  #oldest = 0;
  #used = 0;

  /** Goes on from what was saved. A time later than `now` would block for as long as the clock was ahead: it counts as now. */
  constructor(limit: number, saved: readonly number[] = [], now = Number.POSITIVE_INFINITY) {
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

  /** Counts a request, if there is room for it. */
  take(now: number): boolean {
    this.#expire(now);
    if (this.#used === this.#times.length) return false;
    this.#times[this.#slot(this.#used++)] = now;
    return true;
  }

  remaining(now: number): number {
    this.#expire(now);
    return this.#times.length - this.#used;
  }

  /** Milliseconds until the oldest counted request leaves the window; 0 where none counts. */
  resetMs(now: number): number {
    this.#expire(now);
    return this.#used === 0 ? 0 : this.#times[this.#oldest]! + WINDOW_MS - now;
  }

  /**
   * What still counts, oldest first: times, and after a time −n where it stands for n requests more. Those of one step are
   * told as its last, so that after a restart nothing is free before its time; the number is exact.
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

  /** Another tier: what was used stays used. */
  resize(limit: number, now: number): void {
    this.#expire(now);
    const times = Array.from({ length: this.#used }, (_, index) => this.#times[this.#slot(index)]!);
    this.#times = new Float64Array(limit);
    this.#fill(times);
  }

  /** Stands as another says who counts: so many left, and the oldest that counts leaves in so many milliseconds. */
  mirror({ remaining, resetMs }: { readonly remaining: number; readonly resetMs: number }, now: number): void {
    const used = Math.max(0, this.#times.length - remaining);
    this.#times.fill(now + resetMs - WINDOW_MS, 0, used);
    this.#oldest = 0;
    this.#used = used;
  }

  #fill(times: readonly number[]): void {
    const kept = times.slice(Math.max(0, times.length - this.#times.length));
    this.#times.set(kept);
    this.#oldest = 0;
    this.#used = kept.length;
  }

  #expire(now: number): void {
    const times = this.#times;
    const start = now - WINDOW_MS;
    while (this.#used > 0 && times[this.#oldest]! <= start) {
      this.#oldest = this.#oldest + 1 === times.length ? 0 : this.#oldest + 1;
      this.#used--;
    }
  }

  #slot(index: number): number {
    const slot = this.#oldest + index;
    return slot < this.#times.length ? slot : slot - this.#times.length;
  }
}
