// Limits how often something may happen, by key: at most `limit` times in any rolling window.
import { MINUTE_MS } from '@tickwire/engine';
import { LruMap } from './lru-map.ts';
import { RollingWindow } from './rolling-window.ts';

export interface RateLimit {
  readonly limit: number;
  /** Default: a minute. */
  readonly windowMs?: number;
  /** Bounds memory: the keys that were used last are remembered. Default: 20,000. */
  readonly maxKeys?: number;
}

export class RateLimiter<K = string> {
  readonly limit: number;
  readonly #windowMs: number;
  readonly #windows: LruMap<K, RollingWindow>;
  /** When keys were last forgotten because their time has passed. */
  #rotatedAt = 0;

  constructor({ limit, windowMs = MINUTE_MS, maxKeys = 20_000 }: RateLimit) {
    this.limit = limit;
    this.#windowMs = windowMs;
    this.#windows = new LruMap(maxKeys);
  }

  /** Keys that are remembered. */
  get size(): number {
    return this.#windows.size;
  }

  /** Counts and returns 0. Over the limit, counts nothing and returns the milliseconds to wait. `limit`: of a new key. */
  take(key: K, now: number, limit = this.limit): number {
    if (now - this.#rotatedAt >= this.#windowMs || now < this.#rotatedAt) {
      this.#windows.rotate();
      this.#rotatedAt = now;
    }
    let window = this.#windows.get(key);
    if (!window) {
      window = new RollingWindow(limit, { windowMs: this.#windowMs });
      this.#windows.set(key, window);
    }
    return window.take(now) ? 0 : Math.ceil(window.resetMs(now));
  }

  remaining(key: K, now: number): number {
    return this.#windows.get(key)?.remaining(now) ?? this.limit;
  }

  forget(key: K): void {
    this.#windows.delete(key);
  }
}
