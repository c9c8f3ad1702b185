// Limits the messages per minute to one destination. Counted by the worker that has the lease; another worker starts anew,
// and then the destination itself asks to wait.
import { RollingMinute, WINDOW_MS } from '../access/rolling-minute.ts';

export class RateLimits {
  /** What was counted in this minute and, behind it, in the last: what is older does not count. */
  #recent = new Map<string, RollingMinute>();
  #older = new Map<string, RollingMinute>();
  #since = 0;

  /** Counts a message; returns 0, or the milliseconds until one may be sent. */
  take(destination: string, perMinute: number | undefined, now: number): number {
    if (perMinute === undefined) return 0;
    if (now - this.#since >= WINDOW_MS || now < this.#since) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#since = now;
    }
    let minute = this.#recent.get(destination);
    if (!minute) {
      minute = this.#older.get(destination) ?? new RollingMinute(perMinute);
      this.#recent.set(destination, minute);
    }
    return minute.take(now) ? 0 : Math.ceil(minute.resetMs(now));
  }

  /** Destinations that are remembered. */
  get size(): number {
    return new Set([...this.#recent.keys(), ...this.#older.keys()]).size;
  }
}
