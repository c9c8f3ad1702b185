// The rows of the news list, newest first. While the list is paused (the user has scrolled down), new headlines are pending, so
// that nothing moves while the user reads; a revised headline changes in place. Above the limit the oldest rows are dropped and
// can be loaded again.
import type { NewsDetail } from '@tickwire/client';
import { insert, newestNewsFirst, replace } from '../services/news-order.ts';

export const MAX_ROWS = 1_000;
/** Beyond this many, pending headlines are only counted. */
export const MAX_PENDING = 500;

export type AddResult = 'added' | 'pending' | 'changed' | 'ignored';

export class NewsRows {
  readonly #matches: (item: NewsDetail) => boolean;
  #rows: NewsDetail[] = [];
  #pending: NewsDetail[] = [];
  #dropped = 0;
  #cursor: string | null = null;
  #complete = false;

  /** `matches`: whether a headline belongs into this list. */
  constructor(matches: (item: NewsDetail) => boolean) {
    this.#matches = matches;
  }

  get rows(): readonly NewsDetail[] {
    return this.#rows;
  }

  /** New headlines that are not shown yet. */
  get pending(): readonly NewsDetail[] {
    return this.#pending;
  }

  /** New headlines beyond `MAX_PENDING`: only a reset shows them. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Older headlines are requested before this id; `null` if there is none yet. */
  get cursor(): string | null {
    return this.#cursor;
  }

  /** There are no older headlines. */
  get complete(): boolean {
    return this.#complete;
  }

  get full(): boolean {
    return this.#rows.length >= MAX_ROWS;
  }

  /** Starts over with the matching ones of the latest headlines. `complete`: there are no older ones. */
  reset(items: readonly NewsDetail[], complete: boolean): void {
    this.#rows = items.filter(this.#matches);
    this.#pending = [];
    this.#dropped = 0;
    this.#cursor = items.at(-1)?.id ?? null;
    this.#complete = complete;
  }

  /** Removes all rows but keeps the cursor, so that the list continues with older headlines. */
  clear(): void {
    this.#rows = [];
  }

  /** Adds a page of headlines older than the cursor. `more`: there may be further pages. */
  addOlder(items: readonly NewsDetail[], more: boolean): void {
    const known = new Set(this.#rows.map(({ id }) => id));
    for (const item of items) if (!known.has(item.id)) this.#rows.push(item);
    this.#rows.sort(newestNewsFirst);
    this.#cursor = items.at(-1)?.id ?? this.#cursor;
    this.#complete = !more;
  }

  add(item: NewsDetail, paused: boolean): AddResult {
    if (replace(this.#rows, item)) return 'changed';
    if (replace(this.#pending, item) || !this.#matches(item)) return 'ignored';
    // A headline older than the oldest row is loaded with its page.
    const oldest = this.#rows.at(-1);
    if (!this.#complete && oldest && newestNewsFirst(item, oldest) > 0) return 'ignored';
    if (paused) {
      if (this.#pending.length < MAX_PENDING) insert(this.#pending, item);
      else this.#dropped++;
      return 'pending';
    }
    this.#insert(item);
    return 'added';
  }

  showPending(): void {
    for (const item of this.#pending) this.#insert(item);
    this.#pending = [];
  }

  #insert(item: NewsDetail): void {
    insert(this.#rows, item);
    if (this.#rows.length <= MAX_ROWS) return;
    this.#rows.length = MAX_ROWS;
    this.#cursor = this.#rows.at(-1)!.id;
    this.#complete = false;
  }
}
