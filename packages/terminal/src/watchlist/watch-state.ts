// What the watchlist shows: the lists, the one that is open, its order and its columns. Every change is stored.
import type { Instrument } from '@tickwire/client';
import type { Row } from '../services/quote-board.ts';
import type { StoredDocuments } from '../services/stored-documents.ts';
import {
  type Arrangement,
  type Group,
  groupsOf,
  moved,
  type Placement,
  placed,
  READY_MADE,
  UNARRANGED,
  type WatchList,
} from './arrangement.ts';
import { WatchLists } from './watch-lists.ts';

type Named = Pick<Instrument, 'symbol' | 'type'>;

export class WatchState {
  readonly lists: WatchLists;
  readonly #rows: () => readonly Row[];
  #arrangement = UNARRANGED;
  #groups: readonly Group[] = [];

  constructor(documents: StoredDocuments, rows: () => readonly Row[], onError: (error: unknown) => void) {
    this.lists = new WatchLists(documents, onError);
    this.#rows = rows;
  }

  get arrangement(): Arrangement {
    return this.#arrangement;
  }

  /** As last computed by `update`. */
  get groups(): readonly Group[] {
    return this.#groups;
  }

  get symbols(): readonly string[] {
    return this.#groups.flatMap(({ symbols }) => symbols);
  }

  async load(): Promise<void> {
    this.#arrangement = (await this.lists.load()) ?? this.#arrangement;
  }

  arrange(changes: Partial<Arrangement>): void {
    this.#arrangement = { ...this.#arrangement, ...changes };
    this.lists.store(this.#arrangement);
  }

  /** Computes the groups. True if their instruments or the order have changed. `searching`: over all instruments. */
  update(searching: boolean): boolean {
    const before = this.symbols.join();
    const { view } = this.#arrangement;
    const list = this.#list;
    // A list that no longer exists shows all, too.
    const all = searching || (!list && !(view in READY_MADE));
    const shown = all ? { ...this.#arrangement, view: 'all' } : this.#arrangement;
    this.#groups = groupsOf(this.#rows(), shown, all ? null : list);
    return this.symbols.join() !== before;
  }

  /** Whether the order follows the prices. */
  get moves(): boolean {
    const { sort, view } = this.#arrangement;
    return sort === null ? view === 'movers' : sort.column !== 'name';
  }

  /** `null` if the instrument cannot be placed there. */
  placed(instrument: Named, target: string, side: 'before' | 'after'): Placement | null {
    return placed(this.#arrangement, this.#groups, instrument, target, side, this.#list);
  }

  moved(instrument: Named, by: -1 | 1): Placement | null {
    return moved(this.#arrangement, this.#groups, instrument, by, this.#list);
  }

  place({ arrangement, symbols }: Placement): void {
    const list = this.#list;
    if (list && symbols) this.lists.put({ ...list, symbols });
    this.arrange(arrangement);
  }

  /** The user's list that is shown; `null` for the others. */
  get #list(): WatchList | null {
    return this.lists.list(this.#arrangement.view);
  }
}
