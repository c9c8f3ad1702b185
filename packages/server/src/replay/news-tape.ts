// The headlines of the past in the order in which a replay announces them: each revision at the time at which it was stored.
import type { NewsEvent } from '../journal/journal.ts';
import type { NewsStore, RevisionPosition } from '../store/news-store.ts';
import { alone } from './as-of-news.ts';
import type { PlayedEvent } from './played-event.ts';

const PAGE = 100;

export interface NewsTapeOptions {
  readonly store: Pick<NewsStore, 'revisionsAfter'>;
  /** A source whose items are hidden; `null` for none. */
  readonly hidden: string | null;
  /** What was stored after `from` and by `to`. Epoch milliseconds. */
  readonly from: number;
  readonly to: number;
}

export class NewsTape {
  readonly #options: NewsTapeOptions;
  #ready: PlayedEvent<NewsEvent>[] = [];
  /** The last revision that was loaded. */
  #last: RevisionPosition;
  /** All revisions that were stored by this time are ready. */
  #knownTo: number;

  constructor(options: NewsTapeOptions) {
    this.#options = options;
    this.#knownTo = options.from;
    this.#last = { knownAt: options.from + 1, id: '' };
  }

  /** Makes ready all revisions that were stored by `to`. */
  async load(to: number): Promise<void> {
    const { store, hidden, to: end } = this.#options;
    while (this.#knownTo < to) {
      const page = await store.revisionsAfter(this.#last, end, PAGE);
      for (const { knownAt, item, revised } of page)
        if (item.source !== hidden)
          this.#ready.push({ arrival: knownAt, event: { kind: 'news', item: alone(item), revised }, source: '' });
      const last = page.at(-1);
      if (last) this.#last = { knownAt: last.knownAt, id: last.item.id };
      // The next page may go on with others of the same time.
      this.#knownTo = page.length < PAGE ? end : this.#last.knownAt - 1;
    }
  }

  /** The next revisions that were stored by `to`, up to which all are ready. */
  take(to: number): readonly PlayedEvent<NewsEvent>[] {
    const later = this.#ready.findIndex(({ arrival }) => arrival > to);
    return this.#ready.splice(0, later < 0 ? this.#ready.length : later);
  }
}
