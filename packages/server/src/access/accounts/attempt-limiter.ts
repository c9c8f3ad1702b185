// Limits how often something may be tried: a burst, then one attempt per interval. An attempt is counted before it is made
// and given back if it succeeds, so that parallel attempts get no further than sequential ones.

export interface AttemptLimit {
  readonly burst: number;
  readonly everyMs: number;
}

/** Bounds memory. The key with the oldest attempt is forgotten first. */
const MAX_KEYS = 20_000;

export class AttemptLimiter {
  readonly #limit: AttemptLimit;
  /** When the full burst is available again, by key. Epoch milliseconds. */
  readonly #freeAt = new Map<string, number>();

  constructor(limit: AttemptLimit) {
    this.#limit = limit;
  }

  /** Counts an attempt and returns 0. Over the limit, counts nothing and returns the milliseconds to wait. */
  take(key: string, now: number): number {
    const { burst, everyMs } = this.#limit;
    const freeAt = Math.max(now, this.#freeAt.get(key) ?? 0) + everyMs;
    const wait = freeAt - now - burst * everyMs;
    if (wait > 0) return wait;
    this.#freeAt.delete(key);
    this.#freeAt.set(key, freeAt);
    if (this.#freeAt.size > MAX_KEYS) this.#freeAt.delete(this.#freeAt.keys().next().value!);
    return 0;
  }

  giveBack(key: string): void {
    const freeAt = this.#freeAt.get(key);
    if (freeAt !== undefined) this.#freeAt.set(key, freeAt - this.#limit.everyMs);
  }
}
