// State of one polled document: its current URL, validators, next poll time and health. Times are epoch milliseconds.
import { DAY_MS, HOUR_MS } from '@tickwire/engine';
import { backOffMs } from '../work/back-off.ts';
import type { Validators } from './fetch-document.ts';
import type { SourceStatus } from './source.ts';

export interface DocumentSource {
  readonly name: string;
  readonly url: string;
  /** Whether its host may have a private address, because the operator's own file names it. */
  readonly mayBePrivate: boolean;
}

const MAX_BACKOFF_MS = HOUR_MS;
/** A longer Retry-After is shortened to a day. */
const MAX_RETRY_AFTER_MS = DAY_MS;
/** Polls come up to a tenth early, so that sources with the same interval spread out. */
const JITTER = 0.1;

export class PolledDocument<S extends DocumentSource = DocumentSource> {
  readonly source: S;
  validators: Validators | null = null;
  isPolling = false;
  dueAt: number;
  /** Target of a permanent redirect, remembered for this run. */
  #movedTo: string | null = null;
  #consecutiveFailures = 0;
  #state: SourceStatus['state'] = 'starting';
  #lastItemAt = 0;
  #lastPollAt = 0;
  #unchanged = 0;
  #items = 0;
  #failures = 0;
  #lastError: string | null = null;

  constructor(source: S, dueAt: number) {
    this.source = source;
    this.dueAt = dueAt;
  }

  get url(): string {
    return this.#movedTo ?? this.source.url;
  }

  /** Without the port: requests are limited per machine. */
  get hostname(): string {
    return new URL(this.url).hostname;
  }

  get ownHost(): string | null {
    return this.source.mayBePrivate ? new URL(this.source.url).host : null;
  }

  get isStopped(): boolean {
    return this.#state === 'stopped';
  }

  redirected(to: string | null): void {
    if (to !== null) this.#movedTo = to;
  }

  /** Counts a poll that was read, and its new items. */
  received(items: number, now: number): void {
    this.#items += items;
    if (items > 0) this.#lastItemAt = now;
    else this.#unchanged++;
  }

  unchanged(): void {
    this.#unchanged++;
  }

  succeeded(now: number, intervalMs: number, random: () => number): void {
    this.#lastPollAt = now;
    this.#state = 'ok';
    this.#consecutiveFailures = 0;
    this.#lastError = null;
    this.dueAt = now + intervalMs * (1 - JITTER * random());
  }

  /** Returns whether the reason differs from that of the previous failure. */
  failed(reason: string, now: number, intervalMs: number, random: () => number, retryAfterMs = 0): boolean {
    const isNewReason = this.#lastError !== reason;
    this.#lastPollAt = now;
    this.#state = 'failing';
    this.#failures++;
    this.#consecutiveFailures++;
    this.#lastError = reason;
    const backOff = { firstMs: 2 * intervalMs, maxMs: MAX_BACKOFF_MS, jitter: JITTER, random };
    const waitMs = backOffMs(this.#consecutiveFailures, backOff);
    this.dueAt = now + Math.max(waitMs, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
    return isNewReason;
  }

  stop(reason: string | null = null, now = this.#lastPollAt): void {
    this.#state = 'stopped';
    this.#lastPollAt = now;
    this.dueAt = Number.POSITIVE_INFINITY;
    if (reason !== null) {
      this.#failures++;
      this.#lastError = reason;
    }
  }

  status(): SourceStatus {
    return {
      name: this.source.name,
      url: this.url,
      state: this.#state,
      lastItemAt: this.#lastItemAt,
      lastPollAt: this.#lastPollAt,
      unchanged: this.#unchanged,
      items: this.#items,
      failures: this.#failures,
      lastError: this.#lastError,
    };
  }
}
