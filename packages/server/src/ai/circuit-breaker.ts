// Leaves alone what keeps failing. Closed: calls go through. Open: none does. After a rest one call is let through to see
// (half-open): it closes the breaker, or doubles the rest.

const FAILURES = 5;
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 600_000;

export type BreakerState = 'closed' | 'open' | 'half_open';

export class CircuitBreaker {
  readonly #now: () => number;
  #failures = 0;
  /** Of the next opening. */
  #restMs = FIRST_REST_MS;
  #opened = false;
  #openUntil = 0;
  #trying = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  get state(): BreakerState {
    if (this.restsMs > 0) return 'open';
    return this.#opened ? 'half_open' : 'closed';
  }

  /** Milliseconds until a call may go through. */
  get restsMs(): number {
    return Math.max(0, this.#openUntil - this.#now());
  }

  /** Whether a call would be let through now. */
  get lets(): boolean {
    return this.restsMs === 0 && !(this.#opened && this.#trying);
  }

  /** Asks for a call: where it is let through, exactly one of `succeeded`, `failed` and `left` must follow. */
  enter(): boolean {
    if (!this.lets) return false;
    if (this.#opened) this.#trying = true;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#restMs = FIRST_REST_MS;
    this.#opened = false;
    this.#trying = false;
  }

  failed(): void {
    this.#failures++;
    const again = this.#opened && this.#trying;
    this.#trying = false;
    if (!again && (this.#opened || this.#failures < FAILURES)) return;
    this.#opened = true;
    this.#openUntil = Math.max(this.#openUntil, this.#now() + this.#restMs);
    this.#restMs = Math.min(this.#restMs * 2, LONGEST_REST_MS);
  }

  /** The call ended without saying anything about the other side, as when whoever asked went away. */
  left(): void {
    this.#trying = false;
  }

  /** The other side asked for a rest (Retry-After). It says nothing of whether it works. */
  rest(ms: number): void {
    this.#openUntil = Math.max(this.#openUntil, this.#now() + Math.min(ms, LONGEST_REST_MS));
  }
}
