// The user's lists and the arrangement of the watchlist, stored with the account: one document per list, and one for the rest.
import type { StoredDocuments } from '../services/stored-documents.ts';
import { type Arrangement, COLUMNS, type Sort, UNARRANGED, type WatchList } from './arrangement.ts';

const symbols = (value: unknown): readonly string[] =>
  Array.isArray(value) ? [...new Set(value.filter((each): each is string => typeof each === 'string'))] : [];

const SORTS = ['name', 'bid', 'ask', 'spread', 'change', 'high', 'low'] as const;

function sortOf(value: unknown): Sort | null {
  const stored = Object(value) as Readonly<Record<string, unknown>>;
  const column = SORTS.find((each) => each === stored.column);
  const direction = (['ascending', 'descending'] as const).find((each) => each === stored.direction);
  return column && direction ? { column, direction } : null;
}

/** Ignores stored parts that are not valid. */
export function arrangementOf(stored: Readonly<Record<string, unknown>>): Arrangement {
  const { view, grouped, columns, sort, order, favourites, folded } = stored;
  return {
    view: typeof view === 'string' ? view : UNARRANGED.view,
    grouped: typeof grouped === 'boolean' ? grouped : UNARRANGED.grouped,
    columns: Array.isArray(columns) ? COLUMNS.filter((each) => columns.includes(each)) : UNARRANGED.columns,
    sort: sortOf(sort),
    order: symbols(order),
    favourites: symbols(favourites),
    folded: symbols(folded),
  };
}

export const MAX_LISTS = 50;
export const MAX_LIST_NAME = 40;

/** Why a list cannot have this name; '' if it can. */
export function nameProblem(name: string, others: readonly WatchList[]): string {
  const plain = name.trim().toLowerCase();
  if (plain === '') return 'Enter a name.';
  if (plain.length > MAX_LIST_NAME) return `A name can have at most ${MAX_LIST_NAME} characters.`;
  return others.some((list) => list.name.toLowerCase() === plain) ? 'A list with this name already exists.' : '';
}

export class WatchLists {
  readonly #documents: StoredDocuments;
  readonly #onError: (error: unknown) => void;
  #lists: readonly WatchList[] = [];

  constructor(documents: StoredDocuments, onError: (error: unknown) => void) {
    this.#documents = documents;
    this.#onError = onError;
  }

  /** By name. */
  get all(): readonly WatchList[] {
    return this.#lists;
  }

  list(id: string): WatchList | null {
    return this.#lists.find((each) => each.id === id) ?? null;
  }

  /** Loads the lists and the arrangement. Resolves to `null` if none is stored. */
  async load(): Promise<Arrangement | null> {
    const [stored, names] = await Promise.all([
      this.#documents.read('settings', 'watchlist'),
      this.#documents.names('watchlist'),
    ]);
    const lists = await Promise.all(
      names.map(async (id): Promise<readonly WatchList[]> => {
        const list = await this.#documents.read('watchlist', id);
        return list && typeof list.name === 'string' ? [{ id, name: list.name, symbols: symbols(list.symbols) }] : [];
      }),
    );
    this.#lists = lists.flat().toSorted(byName);
    return stored && arrangementOf(stored);
  }

  store(arrangement: Arrangement): void {
    this.#documents.write('settings', 'watchlist', arrangement).catch(this.#onError);
  }

  create(name: string, members: readonly string[]): WatchList {
    const taken = new Set(this.#lists.map(({ id }) => id));
    let number = 1;
    while (taken.has(`list-${number}`)) number++;
    const list = { id: `list-${number}`, name: name.trim(), symbols: members };
    this.put(list);
    return list;
  }

  put(list: WatchList): void {
    this.#lists = [...this.#lists.filter(({ id }) => id !== list.id), list].toSorted(byName);
    const { name, symbols: members } = list;
    this.#documents.write('watchlist', list.id, { name, symbols: members }).catch(this.#onError);
  }

  remove(id: string): void {
    this.#lists = this.#lists.filter((each) => each.id !== id);
    this.#documents.remove('watchlist', id).catch(this.#onError);
  }
}

const byName = (one: WatchList, other: WatchList): number => one.name.localeCompare(other.name, 'en');
