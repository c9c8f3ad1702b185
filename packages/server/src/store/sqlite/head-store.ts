// Kept heads of the signal log, in market.db of the realm.
import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { type HeadRow, type HeadStore, type HeadTokenRow, selectHeads, toStoredHeads } from '../head-store.ts';
import { withFileErrors } from './errors.ts';

export function createHeadStore(database: Database): HeadStore {
  const run = async <T>(work: () => T): Promise<T> => withFileErrors(database.filename, work);
  const heads = (which: string, ...values: SQLQueryBindings[]) =>
    toStoredHeads(database.query<HeadTokenRow, SQLQueryBindings[]>(selectHeads(which)).all(...values));

  return {
    keep: ({ n, hash, at, signature }) =>
      run(() => {
        database
          .query('INSERT OR IGNORE INTO signal_heads (n, hash, at, signature) VALUES (?, ?, ?, ?)')
          .run(n, hash, at, signature);
        return heads('SELECT * FROM signal_heads WHERE n = ?', n)[0]!;
      }),
    addToken: (n, { authority, at, token }) =>
      run(() => {
        database
          .query('INSERT OR IGNORE INTO signal_head_tokens (n, authority, at, token) VALUES (?, ?, ?, ?)')
          .run(n, authority, at, token);
      }),
    list: (after, limit) => run(() => heads('SELECT * FROM signal_heads WHERE n > ? ORDER BY n LIMIT ?', after, limit)),
    last: () =>
      run(
        () =>
          database
            .query<HeadRow, []>('SELECT n, hash, at, signature FROM signal_heads ORDER BY n DESC LIMIT 1')
            .get() ?? undefined,
      ),
  };
}
