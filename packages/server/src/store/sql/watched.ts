// Periods in which the source of a symbol was connected (table `watched`), and ranges that were fetched (table `fetched`). Must be
// called in a transaction.
import type { Fetched, Watched } from '../market-store.ts';
import { rows, rowsFor, type SharedWork } from './shared-work.ts';
import { put, storedFields } from './stored-fields.ts';
import * as tables from './tables/market-tables.ts';

type Period = {
  readonly symbol: string;
  readonly from: number;
  readonly to: number;
};

const WATCHED = storedFields(tables.WATCHED);
const FETCHED = storedFields(tables.FETCHED);

/** Extends the period that ends where this one begins, or starts a new one. */
export function* extendWatched({ symbols, from, to }: Watched): SharedWork<void> {
  const wanted = [...new Set<string>(symbols)];
  const extended = yield* rowsFor<{ symbol: string }, 'wanted'>(
    'UPDATE watched SET "to" = $1 FROM {records} WHERE symbol = r.wanted AND "to" = $2 RETURNING symbol',
    { wanted: 'text' },
    wanted.map((symbol) => ({ wanted: symbol })),
    to,
    from,
  );
  const done = new Set(extended.map(({ symbol }) => symbol));
  yield* put(
    WATCHED,
    wanted.filter((symbol) => !done.has(symbol)).map((symbol) => ({ symbol, from, to })),
  );
}

/** Merges the period with all periods it touches or overlaps: imported data may overlap anything. */
export function* mergeWatched({ symbols, from, to }: Watched): SharedWork<void> {
  const merged = new Map(symbols.map((symbol): [string, Period] => [symbol, { symbol, from, to }]));
  const touching = yield* rowsFor<Period, 'wanted'>(
    `DELETE FROM watched WHERE symbol IN (SELECT r.wanted FROM {records}) AND "to" >= $1 AND "from" <= $2
     RETURNING symbol, "from", "to"`,
    { wanted: 'text' },
    [...merged.keys()].map((wanted) => ({ wanted })),
    from,
    to,
  );
  for (const { symbol, ...known } of touching) {
    const period = merged.get(symbol)!;
    merged.set(symbol, { symbol, from: Math.min(period.from, known.from), to: Math.max(period.to, known.to) });
  }
  yield* put(WATCHED, [...merged.values()]);
}

/** Merges the range with those of its length that it touches or overlaps. */
export function* mergeFetched({
  symbol,
  timeframe,
  from,
  to,
}: Fetched & { readonly symbol: string }): SharedWork<void> {
  const touching = yield* rows<Period>(
    'DELETE FROM fetched WHERE symbol = $1 AND timeframe = $2 AND "to" >= $3 AND "from" <= $4 RETURNING "from", "to"',
    symbol,
    timeframe,
    from,
    to,
  );
  const merged = [{ from, to }, ...touching];
  yield* put(FETCHED, [
    {
      symbol,
      timeframe,
      from: Math.min(...merged.map((range) => range.from)),
      to: Math.max(...merged.map((range) => range.to)),
    },
  ]);
}
