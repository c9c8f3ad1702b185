// What was announced of signals, in the order of the log: publications and closings, and the last of them by instrument.
import type { Announced, LastAnnounced } from '../signal-store.ts';
import type { Session } from './database.ts';

// Both halves come in order off an index each, and are merged as far as the limit.
const ANNOUNCED = `SELECT p.n, p.hash, p.text, c.n AS "closedN", c.hash AS "closedHash", c.text AS "closedText", told.filled_at AS "filledAt"
  FROM (
    (SELECT published_n AS at, published_n, NULL::bigint AS closed_n, NULL::bigint AS filled_at FROM signals
      WHERE published_n > $1 ORDER BY published_n LIMIT $2)
    UNION ALL
    (SELECT closed_n AS at, published_n, closed_n, filled_at FROM signals WHERE closed_n > $1 ORDER BY closed_n LIMIT $2)
    ORDER BY at LIMIT $2
  ) told JOIN signal_log p ON p.n = told.published_n LEFT JOIN signal_log c ON c.n = told.closed_n ORDER BY told.at`;

interface AnnouncedRow {
  readonly n: number;
  readonly hash: string;
  readonly text: string;
  readonly closedN: number | null;
  readonly closedHash: string;
  readonly closedText: string;
  readonly filledAt: number | null;
}

export async function announcedAfter(session: Session, after: number, limit: number): Promise<Announced[]> {
  const rows = await session.rows<AnnouncedRow>(ANNOUNCED, [after, limit]);
  return rows.map(({ n, hash, text, closedN, closedHash, closedText, filledAt }) => ({
    published: { n, hash, text },
    closed: closedN === null ? null : { n: closedN, hash: closedHash, text: closedText },
    filledAt,
  }));
}

export async function lastAnnounced(
  session: Session,
  symbols: readonly string[],
  until: number,
): Promise<ReadonlyMap<string, LastAnnounced>> {
  // The index has active and closed ones apart.
  const rows = await session.rows<{ symbol: string; published: number; closed: number }>(
    `SELECT symbol, coalesce(greatest(
         (SELECT max(published_n) FROM signals s WHERE s.symbol = asked.symbol AND s.active AND s.published_n <= $2),
         (SELECT max(published_n) FROM signals s WHERE s.symbol = asked.symbol AND NOT s.active AND s.published_n <= $2)
       ), 0) AS published,
       coalesce((SELECT max(closed_n) FROM signals s WHERE s.symbol = asked.symbol AND s.closed_n <= $2), 0) AS closed
     FROM unnest($1::text[]) AS asked (symbol)`,
    [symbols, until],
  );
  return new Map(
    rows.map(({ symbol, published, closed }) => [symbol, { published, any: Math.max(published, closed) }]),
  );
}
