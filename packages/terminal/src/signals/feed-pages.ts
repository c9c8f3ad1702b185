// Older signals, page by page backwards. The service does not filter by direction: that happens here, and if too few of a page
// are left, the next page is loaded as well.
import type { Signal, SignalOptions } from '@tickwire/client';
import { type FeedFilter, matches } from './feed-filter.ts';

const PAGE = 100;
/** Requests for one scroll. */
const MOST_REQUESTS = 5;
const ENOUGH = 30;

export type LoadSignals = (options: SignalOptions) => Promise<{ readonly items: readonly Signal[] }>;

export class FeedPages {
  readonly #filter: FeedFilter;
  readonly #load: LoadSignals;
  #before: string | undefined;
  #ended = false;

  constructor(filter: FeedFilter, load: LoadSignals) {
    this.#filter = filter;
    this.#load = load;
  }

  /** There are no older signals. */
  get ended(): boolean {
    return this.#ended;
  }

  async next(): Promise<readonly Signal[]> {
    const { status, symbol, user } = this.#filter;
    const found: Signal[] = [];
    for (let count = 0; count < MOST_REQUESTS && found.length < ENOUGH && !this.#ended; count++) {
      const { items } = await this.#load({
        status,
        limit: PAGE,
        ...(symbol !== '' && { symbol }),
        ...(user !== '' && { user }),
        ...(this.#before !== undefined && { before: this.#before }),
      });
      this.#before = items.at(-1)?.id ?? this.#before;
      this.#ended = items.length < PAGE;
      found.push(...items.filter((signal) => matches(this.#filter, signal)));
    }
    return found;
  }
}
