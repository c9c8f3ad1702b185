// Closed and older signals, page by page backwards. Directions are not asked for: they are sorted out here, so that a page may
// come out short, and then the next one is asked for too.
import type { Signal, SignalOptions } from '@tickwire/client';
import { concerns, type FeedFilter } from './feed-filter.ts';

const PAGE = 100;
/** Requests for one scroll, where most of what comes is sorted out. */
const MOST_TRIES = 5;
const ENOUGH = 30;

export type AskSignals = (options: SignalOptions) => Promise<{ readonly items: readonly Signal[] }>;

export class FeedPages {
  readonly #filter: FeedFilter;
  readonly #ask: AskSignals;
  #before: string | undefined;
  #ended = false;

  constructor(filter: FeedFilter, ask: AskSignals) {
    this.#filter = filter;
    this.#ask = ask;
  }

  /** There is nothing older. */
  get ended(): boolean {
    return this.#ended;
  }

  async next(): Promise<readonly Signal[]> {
    const { status, symbol, user } = this.#filter;
    const found: Signal[] = [];
    for (let tries = 0; tries < MOST_TRIES && found.length < ENOUGH && !this.#ended; tries++) {
      const { items } = await this.#ask({
        status,
        limit: PAGE,
        ...(symbol !== '' && { symbol }),
        ...(user !== '' && { user }),
        ...(this.#before !== undefined && { before: this.#before }),
      });
      this.#before = items.at(-1)?.id ?? this.#before;
      this.#ended = items.length < PAGE;
      found.push(...items.filter((signal) => concerns(this.#filter, signal)));
    }
    return found;
  }
}
