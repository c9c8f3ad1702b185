// The REST allowance: at most `limit` requests in ANY rolling 60 seconds, all of them usable in one burst.
// It keeps the time of each counted request: the next is allowed when the one `limit` before it has left the window.

export const WINDOW_MS = 60_000;

export class RollingMinute {
  /** Ring of the last `limit` request times in ms; 0 where there was none. */
  #times: Float64Array;
  #next = 0;

  constructor(limit: number, times: readonly number[] = []) {
    this.#times = new Float64Array(limit);
    for (const time of times.slice(-limit)) this.#push(time);
  }

  get limit(): number {
    return this.#times.length;
  }

  /** Counts a request, if there is room for it. */
  take(now: number): boolean {
    if (this.#times[this.#next]! > now - WINDOW_MS) return false;
    this.#push(now);
    return true;
  }

  remaining(now: number): number {
    const length = this.#times.length;
    // Times ascend from the oldest at #next, so the first that still counts is found by bisection.
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#at(middle) > now - WINDOW_MS) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Milliseconds until the oldest counted request leaves the window; 0 where none counts. */
  resetMs(now: number): number {
    const oldest = this.remaining(now);
    return oldest === this.limit ? 0 : this.#at(oldest) + WINDOW_MS - now;
  }

  /** Times that still count, oldest first. */
  times(now: number): number[] {
    const first = this.remaining(now);
    return Array.from({ length: this.limit - first }, (_, index) => this.#at(first + index));
  }

  /** Another tier: what was used stays used. */
  resize(limit: number, now: number): void {
    const times = this.times(now).slice(-limit);
    this.#times = new Float64Array(limit);
    this.#next = 0;
    for (const time of times) this.#push(time);
  }

  #at(index: number): number {
    const slot = this.#next + index;
    return this.#times[slot < this.#times.length ? slot : slot - this.#times.length]!;
  }

  #push(time: number): void {
    this.#times[this.#next] = time;
    this.#next = this.#next + 1 === this.#times.length ? 0 : this.#next + 1;
  }
}
