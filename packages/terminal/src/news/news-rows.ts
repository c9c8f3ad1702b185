// What the list of news holds, newest first. While it is held (the reader has scrolled down) new items wait, so that nothing
// moves under the reader; a revised headline changes in its place. Bounded: past the bound the oldest go, and can be loaded
// again.
import type { NewsDetail } from '@tickwire/client';
import { insert, laterOf, newestFirst } from './news-order.ts';

/** Rows that stand in the page at once. */
export const MOST_ROWS = 1_000;
/** More than this many new ones are not waited with: the list is begun anew. */
export const MOST_WAITING = 500;

export type Arrival = 'shown' | 'waits' | 'changed' | 'none';

export class NewsRows {
  readonly #belongs: (item: NewsDetail) => boolean;
  #rows: NewsDetail[] = [];
  #waiting: NewsDetail[] = [];
  #missed = 0;
  #cursor: string | null = null;
  #ended = false;

  /** `belongs`: whether an item is one of those that are asked for. */
  constructor(belongs: (item: NewsDetail) => boolean) {
    this.#belongs = belongs;
  }

  get rows(): readonly NewsDetail[] {
    return this.#rows;
  }

  /** New ones that wait to be shown. */
  get waiting(): readonly NewsDetail[] {
    return this.#waiting;
  }

  /** How many came beyond those that could wait: only a new beginning has them. */
  get missed(): number {
    return this.#missed;
  }

  /** Id behind which older ones are asked for; null where nothing is known to begin at. */
  get cursor(): string | null {
    return this.#cursor;
  }

  /** There are no older ones. */
  get ended(): boolean {
    return this.#ended;
  }

  get full(): boolean {
    return this.#rows.length >= MOST_ROWS;
  }

  /** Begins with the newest of all news, of which those that belong are kept. `whole`: there are no older ones. */
  begin(items: readonly NewsDetail[], whole: boolean): void {
    this.#rows = items.filter(this.#belongs);
    this.#waiting = [];
    this.#missed = 0;
    this.#cursor = items.at(-1)?.id ?? null;
    this.#ended = whole;
  }

  /** Goes on behind the last one, without what is newer. */
  beginBehind(): void {
    this.#rows = [];
  }

  /** A page of older ones, behind the cursor. `more`: it was as long as it could be. */
  older(items: readonly NewsDetail[], more: boolean): void {
    const known = new Set(this.#rows.map(({ id }) => id));
    for (const item of items) if (!known.has(item.id)) this.#rows.push(item);
    this.#rows.sort(newestFirst);
    this.#cursor = items.at(-1)?.id ?? this.#cursor;
    this.#ended = !more;
  }

  arrive(item: NewsDetail, held: boolean): Arrival {
    if (replace(this.#rows, item)) return 'changed';
    if (replace(this.#waiting, item) || !this.#belongs(item)) return 'none';
    // One from before the oldest that is shown comes with its page.
    const oldest = this.#rows.at(-1);
    if (!this.#ended && oldest && newestFirst(item, oldest) > 0) return 'none';
    if (held) {
      if (this.#waiting.length < MOST_WAITING) insert(this.#waiting, item);
      else this.#missed++;
      return 'waits';
    }
    this.#insert(item);
    return 'shown';
  }

  /** Shows what waits. */
  release(): void {
    for (const item of this.#waiting) this.#insert(item);
    this.#waiting = [];
  }

  #insert(item: NewsDetail): void {
    insert(this.#rows, item);
    if (this.#rows.length <= MOST_ROWS) return;
    this.#rows.length = MOST_ROWS;
    this.#cursor = this.#rows.at(-1)!.id;
    this.#ended = false;
  }
}

function replace(items: NewsDetail[], item: NewsDetail): boolean {
  const at = items.findIndex(({ id }) => id === item.id);
  if (at < 0) return false;
  items[at] = laterOf(items[at]!, item);
  return true;
}
