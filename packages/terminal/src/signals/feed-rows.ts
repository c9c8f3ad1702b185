// The rows of the feed, newest publication first. While the list is held (the pointer or the focus is on it, or it is scrolled
// down) no row moves: new signals wait, and a signal that closes stays in place, with its result.
import type { ActiveSignal, ClosedSignal, Signal } from '@tickwire/client';
import { newestSignalFirst } from '../services/active-signals.ts';
import { type FeedFilter, matches } from './feed-filter.ts';

export const MOST_ROWS = 5_000;

export class FeedRows {
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

  /** Number of new signals that are not shown yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get full(): boolean {
    return this.#rows.length >= MOST_ROWS;
  }

  /** Replaces all rows. */
  load(signals: readonly Signal[]): void {
    this.#waiting = [];
    this.#rows = signals.filter((signal) => this.#accepts(signal)).sort(newestSignalFirst);
  }

  /** Adds a page of older signals. */
  older(signals: readonly Signal[]): void {
    const known = new Set(this.#rows.map(({ id }) => id));
    const added = signals.filter((signal) => this.#accepts(signal) && !known.has(signal.id));
    this.#rows = [...this.#rows, ...added].sort(newestSignalFirst).slice(0, MOST_ROWS);
  }

  /** True if something visible has changed; the same below. */
  published(signal: ActiveSignal): boolean {
    if (!this.#accepts(signal) || this.#find(signal.id) >= 0 || this.#waiting.some(({ id }) => id === signal.id))
      return false;
    this.#add(signal);
    return true;
  }

  closed(signal: ClosedSignal): boolean {
    const at = this.#find(signal.id);
    if (at >= 0) {
      if (this.#accepts(signal) || this.#held) this.#rows[at] = signal;
      else this.#rows.splice(at, 1);
      return true;
    }
    const before = this.#waiting.length;
    this.#waiting = this.#waiting.filter(({ id }) => id !== signal.id);
    // A signal older than the last row comes with its page.
    const oldest = this.#rows.at(-1);
    if (!this.#accepts(signal) || (oldest && signal.timestamp < oldest.timestamp))
      return this.#waiting.length !== before;
    this.#add(signal);
    return true;
  }

  hold(): void {
    this.#held = true;
  }

  release(): boolean {
    if (!this.#held) return false;
    this.#held = false;
    const before = this.#rows.length;
    this.#rows = this.#rows.filter((signal) => this.#accepts(signal));
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
    const next = this.#rows.findIndex(({ timestamp }) => timestamp <= signal.timestamp);
    this.#rows.splice(next < 0 ? this.#rows.length : next, 0, signal);
    if (this.#rows.length > MOST_ROWS) this.#rows.pop();
  }

  #accepts(signal: Signal): boolean {
    const { status } = this.#filter;
    return (status === 'all' || signal.status === status) && matches(this.#filter, signal);
  }

  #find(id: string): number {
    return this.#rows.findIndex((row) => row.id === id);
  }
}
