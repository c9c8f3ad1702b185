// The arrangement of the watchlist, stored in this browser.
import { type Arrangement, type Sort, UNARRANGED } from './arrangement.ts';

const NAME = 'tickwire.watchlist';
type ArrangementStorage = Pick<Storage, 'getItem' | 'setItem'>;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function symbols(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function sortOf(value: unknown): Sort | null {
  if (!isRecord(value)) return null;
  const column = (['name', 'bid', 'spread', 'change'] as const).find((each) => each === value.column);
  const direction = (['ascending', 'descending'] as const).find((each) => each === value.direction);
  return column && direction ? { column, direction } : null;
}

/** Ignores stored parts that are not valid. */
export function readArrangement(storage: ArrangementStorage): Arrangement {
  let stored: unknown;
  try {
    stored = JSON.parse(storage.getItem(NAME) ?? 'null');
  } catch {
    // Written by another version.
    return UNARRANGED;
  }
  if (!isRecord(stored)) return UNARRANGED;
  const { sort, order, favourites, folded } = stored;
  return { sort: sortOf(sort), order: symbols(order), favourites: symbols(favourites), folded: symbols(folded) };
}

export function storeArrangement(storage: ArrangementStorage, arrangement: Arrangement): void {
  try {
    storage.setItem(NAME, JSON.stringify(arrangement));
  } catch {
    // The storage is full: the arrangement lasts until the page is closed.
  }
}
