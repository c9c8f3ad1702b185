// HeadStore in SQL that both SQLite and PostgreSQL understand.
import type { HeadRow, HeadStore, StoredHead } from '../head-store.ts';
import { long, rows, run, type SharedWork, type SqlValue, type WorkRunner } from './shared-work.ts';

/** A row of a head and one of its tokens; the columns of the token are null if it has none. */
interface HeadTokenRow extends HeadRow {
  readonly authority: string | null;
  readonly tokenAt: number | null;
  readonly token: string | null;
}

export function createHeadStore({ read, write }: WorkRunner): HeadStore {
  return {
    keep: ({ n, hash, at, signature }) =>
      write(function* () {
        const text =
          'INSERT INTO signal_heads (n, hash, at, signature) VALUES ($1, $2, $3, $4) ON CONFLICT (n) DO NOTHING';
        yield* run(text, n, hash, at, signature);
        return (yield* headsOf('SELECT * FROM signal_heads WHERE n = $1', n))[0]!;
      }),
    addToken: (n, { authority, at, token }) =>
      write(() =>
        run(
          `INSERT INTO signal_head_tokens (n, authority, at, token) VALUES ($1, $2, $3, $4)
           ON CONFLICT (n, authority) DO NOTHING`,
          n,
          authority,
          at,
          token,
        ),
      ),
    list: (after, limit) =>
      read(() => headsOf('SELECT * FROM signal_heads WHERE n > $1 ORDER BY n LIMIT $2', after, limit)),
    last: () =>
      read(function* () {
        const text = 'SELECT n, hash, at, signature FROM signal_heads ORDER BY n DESC LIMIT 1';
        return (yield* rows<HeadRow>(text))[0];
      }),
  };
}

/** The heads that a subquery selects, in order of `n`. */
function* headsOf(heads: string, ...values: readonly SqlValue[]): SharedWork<StoredHead[]> {
  const text = `SELECT h.n, h.hash, h.at, h.signature, t.authority, t.at AS "tokenAt", t.token
    FROM (${heads}) h LEFT JOIN signal_head_tokens t ON t.n = h.n ORDER BY h.n, t.authority`;
  const found = yield* long(rows<HeadTokenRow>(text, ...values));
  return [...Map.groupBy(found, ({ n }) => n).values()].map((group) => {
    const { n, hash, at, signature } = group[0]!;
    const tokens = group.flatMap(({ authority, tokenAt, token }) =>
      authority === null ? [] : [{ authority, at: tokenAt!, token: token! }],
    );
    return { n, hash, at, signature, tokens };
  });
}
