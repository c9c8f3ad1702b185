// Periods in which the source of a symbol was connected (table `watched`). Must be called in a transaction.
import type { Database } from 'bun:sqlite';
import type { Watched } from '../market-store.ts';

/** Extends the period that ends where this one begins, or starts a new one. */
export function extendWatched(database: Database, { symbols, from, to }: Watched): void {
  const extend = database.query('UPDATE watched SET "to" = ? WHERE symbol = ? AND "to" = ?');
  const insert = database.query('INSERT OR REPLACE INTO watched VALUES (?, ?, ?)');
  for (const symbol of symbols) if (extend.run(to, symbol, from).changes === 0) insert.run(symbol, from, to);
}

/** Merges the period with all periods it touches or overlaps: imported data may overlap anything. */
export function mergeWatched(database: Database, { symbols, from, to }: Watched): void {
  const touching = database.query<{ from: number | null; to: number }, [string, number, number]>(
    'SELECT min("from") AS "from", max("to") AS "to" FROM watched WHERE symbol = ? AND "to" >= ? AND "from" <= ?',
  );
  const remove = database.query('DELETE FROM watched WHERE symbol = ? AND "to" >= ? AND "from" <= ?');
  const insert = database.query('INSERT INTO watched VALUES (?, ?, ?)');
  for (const symbol of symbols) {
    const known = touching.get(symbol, from, to);
    remove.run(symbol, from, to);
    insert.run(symbol, Math.min(from, known?.from ?? from), Math.max(to, known?.to ?? to));
  }
}
