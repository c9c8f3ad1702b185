// State of one polled feed: its current URL, validators, next poll time and health. Times are epoch milliseconds.
import type { NewsCategory } from '@tickwire/contract';
import { asEpochMs, DAY_MS, HOUR_MS } from '@tickwire/engine';
import { MAX_AHEAD_MS, type NewsSourceStatus, type RawItem } from '../news-source.ts';
import type { Validators } from './fetch-feed.ts';
import type { ParsedItem } from './parsed-feed.ts';
import { SeenItems } from './seen-items.ts';

export interface FeedSource {
  readonly name: string;
  readonly url: string;
  /** `null` if the source covers several categories. */
  readonly category: NewsCategory | null;
  readonly weight: number;
  /** Whether its host may have a private address, because the operator's own file names it. */
  readonly mayBePrivate: boolean;
}

/** Maximum age of items taken from the first poll of a source. */
const FIRST_WINDOW_MS = DAY_MS;
const MAX_BACKOFF_MS = HOUR_MS;
/** A longer Retry-After is shortened to a day. */
const MAX_RETRY_AFTER_MS = DAY_MS;
/** Polls come up to a tenth early, so that sources with the same interval spread out. */
const JITTER = 0.1;

export class PolledSource {
  readonly source: FeedSource;
  validators: Validators | null = null;
  isPolling = false;
  dueAt: number;
  /** Target of a permanent redirect, remembered for this run. */
  #movedTo: string | null = null;
  readonly #seen = new SeenItems();
  #hasPolled = false;
  #consecutiveFailures = 0;
  #state: NewsSourceStatus['state'] = 'starting';
  #lastItemAt = 0;
  #lastPollAt = 0;
  #unchanged = 0;
  #items = 0;
  #failures = 0;
  #lastError: string | null = null;

  constructor(source: FeedSource, dueAt: number) {
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

  /** Records the items of a feed and returns the new ones, oldest first. */
  takeNew(items: readonly ParsedItem[], now: number): RawItem[] {
    const { name, category, weight } = this.source;
    const from = this.#hasPolled ? null : now - FIRST_WINDOW_MS;
    this.#hasPolled = true;
    const fresh = items
      // A date in the future is wrong, and shows no more than a missing one how old the item is.
      .map((item) => ((item.publishedAt ?? 0) > now + MAX_AHEAD_MS ? { ...item, publishedAt: null } : item))
      // Every item is remembered, even if it is too old. An item without a date may be of any age.
      .filter((item) => this.#seen.add(item) && (from === null || (item.publishedAt ?? 0) >= from))
      .map((item): RawItem => ({ source: name, account: null, category, weight, ...item, seenAt: asEpochMs(now) }))
      .reverse();
    this.#items += fresh.length;
    if (fresh.length > 0) this.#lastItemAt = now;
    else this.#unchanged++;
    return fresh;
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
    const backoff = Math.min(MAX_BACKOFF_MS, intervalMs * 2 ** this.#consecutiveFailures) * (1 - JITTER * random());
    this.dueAt = now + Math.max(backoff, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
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

  status(): NewsSourceStatus {
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
