// Circuit breaker: stops calling a service that keeps failing. Closed: all calls pass. Open: none passes. After a pause one
// trial call passes (half-open): it closes the breaker, or doubles the pause.
import { MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import { backOffMs } from './back-off.ts';

/** Consecutive failures that open the breaker. */
const MAX_FAILURES = 5;
const DEFAULT_PAUSES = { firstMs: 30 * SECOND_MS, maxMs: 10 * MINUTE_MS };

export type BreakerState = 'closed' | 'open' | 'half_open';

export class CircuitBreaker {
  readonly #now: () => number;
  readonly #pauses: typeof DEFAULT_PAUSES;
  #failures = 0;
  /** Openings in a row, without a success between them. */
  #openings = 0;
  #openUntil = 0;
  #trialRunning = false;

  constructor(now: () => number, pauses = DEFAULT_PAUSES) {
    this.#now = now;
    this.#pauses = pauses;
  }

  get #opened(): boolean {
    return this.#openings > 0;
  }

  get state(): BreakerState {
    if (this.retryInMs > 0) return 'open';
    return this.#opened ? 'half_open' : 'closed';
  }

  /** Milliseconds until a call may pass. */
  get retryInMs(): number {
    return Math.max(0, this.#openUntil - this.#now());
  }

  /** Whether a call would pass now. */
  get allowsCall(): boolean {
    return this.retryInMs === 0 && !(this.#opened && this.#trialRunning);
  }

  /** Returns whether a call may pass. If so, exactly one of `succeeded`, `failed` and `cancelled` must follow. */
  enter(): boolean {
    if (!this.allowsCall) return false;
    if (this.#opened) this.#trialRunning = true;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openings = 0;
    this.#trialRunning = false;
  }

  failed(): void {
    this.#failures++;
    const trialFailed = this.#opened && this.#trialRunning;
    this.#trialRunning = false;
    if (!trialFailed && (this.#opened || this.#failures < MAX_FAILURES)) return;
    this.#openUntil = Math.max(this.#openUntil, this.#now() + backOffMs(++this.#openings, this.#pauses));
  }

  /** The call ended without a result, for example because the caller aborted it. */
  cancelled(): void {
    this.#trialRunning = false;
  }

  /** Pauses calls because the service asked for it (Retry-After). This is neither a success nor a failure. */
  pause(ms: number): void {
    this.#openUntil = Math.max(this.#openUntil, this.#now() + Math.min(ms, this.#pauses.maxMs));
  }
}
