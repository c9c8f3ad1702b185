// The rate limit of a fake venue: weights in any minute, or another window, beyond which it answers 429 until there is room again.
import { MINUTE_MS } from '@tickwire/engine';

export class FakeAllowance {
  readonly #limit: number;
  readonly #windowMs: number;
  #used: { readonly at: number; readonly weight: number }[] = [];

  constructor(limit = Number.POSITIVE_INFINITY, windowMs = MINUTE_MS) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** `null` if the request is within the limit. */
  refuse(weight: number): Response | null {
    const now = performance.now();
    this.#used = this.#used.filter(({ at }) => now - at < this.#windowMs);
    const sum = this.#used.reduce((total, each) => total + each.weight, weight);
    if (sum <= this.#limit) {
      this.#used.push({ at: now, weight });
      return null;
    }
    const waitMs = this.#windowMs - (now - (this.#used[0]?.at ?? now));
    return new Response('Too many requests', {
      status: 429,
      headers: { 'Retry-After': String(Math.ceil(waitMs / 1_000)) },
    });
  }
}
