// The arrangement of the watchlist, stored in this browser.
import { type RecordStorage, readRecord, storeRecord } from '../ui/stored-record.ts';
import type { Arrangement, Sort } from './arrangement.ts';

const NAME = 'tickwire.watchlist';

const symbols = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

function sortOf(value: unknown): Sort | null {
  const stored = Object(value) as Readonly<Record<string, unknown>>;
  const column = (['name', 'bid', 'spread', 'change'] as const).find((each) => each === stored.column);
  const direction = (['ascending', 'descending'] as const).find((each) => each === stored.direction);
  return column && direction ? { column, direction } : null;
}

/** Ignores stored parts that are not valid. */
export function readArrangement(storage: RecordStorage): Arrangement {
  const { sort, order, favourites, folded } = readRecord(storage, NAME);
  return { sort: sortOf(sort), order: symbols(order), favourites: symbols(favourites), folded: symbols(folded) };
}

export function storeArrangement(storage: RecordStorage, arrangement: Arrangement): void {
  storeRecord(storage, NAME, arrangement);
}
