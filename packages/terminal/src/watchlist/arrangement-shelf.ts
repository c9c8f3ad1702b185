// The arrangement of the watchlist as it is kept in this browser.
import { type Arrangement, type Sort, UNARRANGED } from './arrangement.ts';

const NAME = 'tickwire.watchlist';
type Shelf = Pick<Storage, 'getItem' | 'setItem'>;

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

/** Whatever stands there, an arrangement comes out: a part that makes no sense is as if it were not there. */
export function readArrangement(shelf: Shelf): Arrangement {
  let kept: unknown;
  try {
    kept = JSON.parse(shelf.getItem(NAME) ?? 'null');
  } catch {
    // Not written by this version: start over.
    return UNARRANGED;
  }
  if (!isRecord(kept)) return UNARRANGED;
  const { sort, order, favourites, folded } = kept;
  return { sort: sortOf(sort), order: symbols(order), favourites: symbols(favourites), folded: symbols(folded) };
}

export function keepArrangement(shelf: Shelf, arrangement: Arrangement): void {
  try {
    shelf.setItem(NAME, JSON.stringify(arrangement));
  } catch {
    // No room in the browser's store: it holds until the page is left.
  }
}
