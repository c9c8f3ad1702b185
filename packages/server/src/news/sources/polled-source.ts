// One source as the poller keeps it: where it is, what it said last, when it is due, and how it is doing.
import type { NewsCategory } from '@tickwire/contract';
import { asEpochMs } from '@tickwire/engine';
import type { NewsSourceStatus, RawItem } from '../raw-item.ts';
import type { ReadItem } from './feed-reading.ts';
import type { Validators } from './fetch-feed.ts';
import { SeenItems } from './seen-items.ts';

export interface FeedSource {
  readonly name: string;
  readonly url: string;
  /** Null where it writes about everything. */
  readonly category: NewsCategory | null;
  readonly weight: number;
  /** Its host may be a private one: the operator's own file names it. */
  readonly mayBePrivate: boolean;
}

/** A source that was never read has old news: of its first feed only so much is taken. */
const FIRST_WINDOW_MS = 24 * 3_600_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** A publisher may ask for more patience than that, but we ask again the next day. */
const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000;
/** Polls come up to a tenth early, so that sources with one interval do not march in step. */
const JITTER = 0.1;

export class PolledSource {
  readonly source: FeedSource;
  validators: Validators | null = null;
  isPolling = false;
  dueAt: number;
  /** Where it permanently moved to, for this run. */
  #movedTo: string | null = null;
  readonly #seen = new SeenItems();
  #read = false;
  #streak = 0;
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

  /** Port or not: it is one machine that is asked. */
  get hostname(): string {
    return new URL(this.url).hostname;
  }

  get ownHost(): string | null {
    return this.source.mayBePrivate ? new URL(this.source.url).host : null;
  }

  get isStopped(): boolean {
    return this.#state === 'stopped';
  }

  moved(to: string | null): void {
    if (to !== null) this.#movedTo = to;
  }

  /** Takes in what a feed holds; returns what is new in it, oldest first. */
  news(items: readonly ReadItem[], now: number): RawItem[] {
    const { name, category, weight } = this.source;
    const from = this.#read ? null : now - FIRST_WINDOW_MS;
    this.#read = true;
    const fresh = items
      // Every item is remembered, also one that is too old to be handed on. One without a date may be of any age.
      .filter((item) => this.#seen.add(item) && (from === null || (item.publishedAt ?? 0) >= from))
      .map((item): RawItem => ({ source: name, category, weight, ...item, seenAt: asEpochMs(now) }))
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
    this.#streak = 0;
    this.#lastError = null;
    this.dueAt = now + intervalMs * (1 - JITTER * random());
  }

  /** True where this is not just the same trouble again. */
  failed(why: string, now: number, intervalMs: number, random: () => number, retryAfterMs = 0): boolean {
    const isNews = this.#lastError !== why;
    this.#lastPollAt = now;
    this.#state = 'failing';
    this.#failures++;
    this.#streak++;
    this.#lastError = why;
    const pause = Math.min(LONGEST_PAUSE_MS, intervalMs * 2 ** this.#streak) * (1 - JITTER * random());
    this.dueAt = now + Math.max(pause, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS));
    return isNews;
  }

  stop(why: string | null = null, now = this.#lastPollAt): void {
    this.#state = 'stopped';
    this.#lastPollAt = now;
    this.dueAt = Number.POSITIVE_INFINITY;
    if (why !== null) {
      this.#failures++;
      this.#lastError = why;
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
