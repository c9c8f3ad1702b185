// Kept heads of the signal log, in the schema of one realm.
import { type HeadRow, type HeadStore, type HeadTokenRow, selectHeads, toStoredHeads } from '../head-store.ts';
import { LONG_MS, type PostgresDatabase } from './database.ts';

export function createHeadStore(database: PostgresDatabase): HeadStore {
  const heads = async (which: string, values: readonly unknown[]) =>
    toStoredHeads(await database.rows<HeadTokenRow>(selectHeads(which), values, LONG_MS));

  return {
    async keep({ n, hash, at, signature }) {
      await database.write((session) =>
        session.run(
          'INSERT INTO signal_heads (n, hash, at, signature) VALUES ($1, $2, $3, $4) ON CONFLICT (n) DO NOTHING',
          [n, hash, at, signature],
        ),
      );
      return (await heads('SELECT * FROM signal_heads WHERE n = $1', [n]))[0]!;
    },
    async addToken(n, { authority, at, token }) {
      await database.write((session) =>
        session.run(
          `INSERT INTO signal_head_tokens (n, authority, at, token) VALUES ($1, $2, $3, $4)
           ON CONFLICT (n, authority) DO NOTHING`,
          [n, authority, at, token],
        ),
      );
    },
    list: (after, limit) => heads('SELECT * FROM signal_heads WHERE n > $1 ORDER BY n LIMIT $2', [after, limit]),
    async last() {
      const [head] = await database.rows<HeadRow>(
        'SELECT n, hash, at, signature FROM signal_heads ORDER BY n DESC LIMIT 1',
      );
      return head;
    },
  };
}
