// Circuit breakers for each origin of texts. Invalid responses are often caused by the text itself: they pause the model for
// its origin, and count against the model once per origin, so that one origin cannot pause the model for all.
import { CircuitBreaker } from './circuit-breaker.ts';

/** More origins than sources and accounts that are active at a time. Beyond it, all of them start over. */
const MAX_ORIGINS = 10_000;

export class OriginBreakers {
  readonly #now: () => number;
  readonly #breakers = new Map<string, CircuitBreaker>();
  /** Origins with an invalid response since the last valid one. */
  readonly #rejected = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns whether a call may pass. If so, one of `succeeded`, `rejected` and `cancelled` must follow. */
  enter(origin: string | undefined): boolean {
    if (origin === undefined) return true;
    return this.#breakers.get(origin)?.enter() ?? true;
  }

  succeeded(origin: string | undefined): void {
    this.#rejected.clear();
    if (origin !== undefined) this.#breakers.delete(origin);
  }

  /** The response was invalid. Returns whether that counts against the model itself. */
  rejected(origin: string | undefined): boolean {
    if (origin === undefined) return true;
    if (this.#breakers.size >= MAX_ORIGINS) this.#breakers.clear();
    const breaker = this.#breakers.get(origin) ?? new CircuitBreaker(this.#now);
    this.#breakers.set(origin, breaker);
    breaker.failed();
    if (this.#rejected.has(origin)) return false;
    this.#rejected.add(origin);
    return true;
  }

  /** The call ended for a reason that the text has no part in. */
  cancelled(origin: string | undefined): void {
    if (origin !== undefined) this.#breakers.get(origin)?.cancelled();
  }
}
