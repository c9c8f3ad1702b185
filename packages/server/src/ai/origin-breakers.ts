// Circuit breakers for each writer of texts. Invalid responses, refusals and timeouts are often caused by the text itself: they
// pause the model for its writer. They count against the model once per configured source, so that one source cannot pause it
// for all, and never if an account wrote the text, since one person may have many accounts.
import { CircuitBreaker } from '../work/circuit-breaker.ts';
import { LruMap } from '../work/lru-map.ts';

/** The public id of an account. */
const ACCOUNT = /^pub_[0-9a-f]{16}$/;
/** Of `account`, NUL, `source`: the account, whatever source names it uses. */
const writerOf = (origin: string): string => origin.split('\u0000', 1)[0]!;

/** More writers than sources and accounts that are active at a time. Those used last are remembered. */
const MAX_WRITERS = 10_000;

export class OriginBreakers {
  readonly #now: () => number;
  readonly #breakers = new LruMap<string, CircuitBreaker>(MAX_WRITERS);
  /** Writers of rejected texts since the last valid response. */
  readonly #rejected = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns whether a call may pass. If so, one of `succeeded`, `rejected` and `cancelled` must follow. */
  enter(origin: string | undefined): boolean {
    if (origin === undefined) return true;
    return this.#breakers.get(writerOf(origin))?.enter() ?? true;
  }

  succeeded(origin: string | undefined): void {
    this.#rejected.clear();
    if (origin !== undefined) this.#breakers.delete(writerOf(origin));
  }

  /** The text may have caused the failure. Returns whether it counts against the model itself. */
  rejected(origin: string | undefined): boolean {
    if (origin === undefined) return true;
    const writer = writerOf(origin);
    const breaker = this.#breakers.get(writer) ?? new CircuitBreaker(this.#now);
    this.#breakers.set(writer, breaker);
    breaker.failed();
    if (ACCOUNT.test(writer) || this.#rejected.has(writer)) return false;
    this.#rejected.add(writer);
    return true;
  }

  /** The call ended for a reason that the text has no part in. */
  cancelled(origin: string | undefined): void {
    if (origin !== undefined) this.#breakers.get(writerOf(origin))?.cancelled();
  }
}
