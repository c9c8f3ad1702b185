// Allows at most `limit` in any rolling minute, of something that is counted many at a time, such as lines or bytes. It is counted
// per second, so memory does not grow with the number and the limit is exact to the second.

const SECONDS = 60;

export class RollingSum {
  readonly limit: number;
  readonly #counts = new Float64Array(SECONDS);
  #second = 0;
  #sum = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Counts all of them, or none and returns false if they exceed the limit. */
  take(count: number, now: number): boolean {
    this.#advance(now);
    if (this.#sum + count > this.limit) return false;
    this.#counts[this.#second % SECONDS]! += count;
    this.#sum += count;
    return true;
  }

  /** How many fit now. */
  remaining(now: number): number {
    this.#advance(now);
    return this.limit - this.#sum;
  }

  /** Milliseconds until this many fit, if no others are counted meanwhile; a full minute if they never do. */
  waitMs(count: number, now: number): number {
    this.#advance(now);
    let sum = this.#sum;
    for (let age = SECONDS - 1; age >= 0 && sum + count > this.limit; age--) {
      sum -= this.#counts[(this.#second - age + SECONDS) % SECONDS]!;
      if (sum + count <= this.limit) return (SECONDS - age) * 1000 - (now % 1000);
    }
    return SECONDS * 1000;
  }

  #advance(now: number): void {
    const second = Math.floor(now / 1000);
    const elapsed = Math.min(SECONDS, second - this.#second);
    for (let step = 1; step <= elapsed; step++) {
      const slot = (second - elapsed + step) % SECONDS;
      this.#sum -= this.#counts[slot]!;
      this.#counts[slot] = 0;
    }
    if (second > this.#second) this.#second = second;
  }
}
