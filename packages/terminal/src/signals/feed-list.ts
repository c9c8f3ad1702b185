// What the feed shows, in the order of publication, newest first. While it is held (somebody points at it, or has scrolled
// down) nothing moves under the reader: new ones wait, and what has ended stays where it is, with its result.
import type { ActiveSignal, ClosedSignal, Signal } from '@tickwire/client';
import { concerns, type FeedFilter } from './feed-filter.ts';
import { newestFirst } from './signal-book.ts';

/** Rows kept of a feed that is scrolled on and on. */
export const MOST_ROWS = 5_000;

export class FeedList {
  readonly #filter: FeedFilter;
  #rows: Signal[] = [];
  #waiting: Signal[] = [];
  #held = false;

  constructor(filter: FeedFilter) {
    this.#filter = filter;
  }

  get rows(): readonly Signal[] {
    return this.#rows;
  }

  /** How many new ones wait to be shown. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get full(): boolean {
    return this.#rows.length >= MOST_ROWS;
  }

  /** All there is so far: replaces what was there, but for what is newer. */
  load(signals: readonly Signal[]): void {
    this.#waiting = [];
    this.#rows = signals.filter((signal) => this.#belongs(signal)).sort(newestFirst);
  }

  /** A page of older ones. */
  older(signals: readonly Signal[]): void {
    const known = new Set(this.#rows.map(({ id }) => id));
    const added = signals.filter((signal) => this.#belongs(signal) && !known.has(signal.id));
    this.#rows = [...this.#rows, ...added].sort(newestFirst).slice(0, MOST_ROWS);
  }

  /** True where something to be seen has changed: here and below. */
  published(signal: ActiveSignal): boolean {
    if (!this.#belongs(signal) || this.#find(signal.id) >= 0 || this.#waits(signal.id)) return false;
    this.#add(signal);
    return true;
  }

  closed(signal: ClosedSignal): boolean {
    const at = this.#find(signal.id);
    if (at >= 0) {
      if (this.#belongs(signal) || this.#held) this.#rows[at] = signal;
      else this.#rows.splice(at, 1);
      return true;
    }
    const waited = this.#waits(signal.id);
    this.#waiting = this.#waiting.filter(({ id }) => id !== signal.id);
    // One from before the oldest that is shown comes with its page.
    const oldest = this.#rows.at(-1);
    if (!this.#belongs(signal) || (oldest && signal.timestamp < oldest.timestamp)) return waited;
    this.#add(signal);
    return true;
  }

  hold(): void {
    this.#held = true;
  }

  /** True where something moved. */
  release(): boolean {
    if (!this.#held) return false;
    this.#held = false;
    const before = this.#rows.length;
    this.#rows = this.#rows.filter((signal) => this.#belongs(signal));
    const moved = this.#rows.length !== before || this.#waiting.length > 0;
    for (const signal of this.#waiting) this.#insert(signal);
    this.#waiting = [];
    return moved;
  }

  #add(signal: Signal): void {
    if (this.#held) this.#waiting.push(signal);
    else this.#insert(signal);
  }

  #insert(signal: Signal): void {
    const behind = this.#rows.findIndex(({ timestamp }) => timestamp <= signal.timestamp);
    this.#rows.splice(behind < 0 ? this.#rows.length : behind, 0, signal);
    if (this.#rows.length > MOST_ROWS) this.#rows.pop();
  }

  #belongs(signal: Signal): boolean {
    const { status } = this.#filter;
    return (status === 'all' || signal.status === status) && concerns(this.#filter, signal);
  }

  #find(id: string): number {
    return this.#rows.findIndex((row) => row.id === id);
  }

  #waits(id: string): boolean {
    return this.#waiting.some((signal) => signal.id === id);
  }
}
