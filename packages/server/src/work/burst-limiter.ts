// Limits how often something may be tried: a burst, then one attempt per interval. An attempt is counted before it is made
// and given back if it succeeds, so that parallel attempts get no further than sequential ones.
import { LruMap } from './lru-map.ts';

export interface BurstLimit {
  readonly burst: number;
  readonly everyMs: number;
}

/** Bounds memory. The keys that were used last are remembered. */
const MAX_KEYS = 40_000;

export class BurstLimiter {
  readonly #limit: BurstLimit;
  /** When the full burst is available again, by key. Epoch milliseconds. */
  readonly #freeAt = new LruMap<string, number>(MAX_KEYS);

  constructor(limit: BurstLimit) {
    this.#limit = limit;
  }

  /** Counts an attempt and returns 0. Over the limit, counts nothing and returns the milliseconds to wait. */
  take(key: string, now: number): number {
    const { burst, everyMs } = this.#limit;
    const freeAt = Math.max(now, this.#freeAt.get(key) ?? 0) + everyMs;
    const wait = freeAt - now - burst * everyMs;
    if (wait > 0) return wait;
    this.#freeAt.set(key, freeAt);
    return 0;
  }

  giveBack(key: string): void {
    const freeAt = this.#freeAt.get(key);
    if (freeAt !== undefined) this.#freeAt.set(key, freeAt - this.#limit.everyMs);
  }
}

/** One limit that an attempt counts against, in a count over all gateways of a cluster. */
export interface CountedAttempt {
  readonly limit: BurstLimit;
  readonly key: string;
}

export interface SharedBursts {
  /** Returns 0, or the milliseconds to wait. Over one limit, counts nothing. */
  take(attempts: readonly CountedAttempt[]): Promise<number>;
  giveBack(attempts: readonly CountedAttempt[]): Promise<void>;
}
