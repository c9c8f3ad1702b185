// Publications and closings of signals in log order, and the last of them by instrument.
import type { LastEventNumbers, StoredSignalEvent } from '../signal-store.ts';
import { type SignalEventRow, toStoredEvent } from '../sql/rows.ts';
import type { SqlSession } from './database.ts';

// Each half is read in index order; the halves are merged up to the limit.
const EVENTS = `SELECT p.n, p.hash, p.text, c.n AS "closedN", c.hash AS "closedHash", c.text AS "closedText", told.filled_at AS "filledAt"
  FROM (
    (SELECT published_n AS at, published_n, NULL::bigint AS closed_n, NULL::bigint AS filled_at FROM signals
      WHERE published_n > $1 ORDER BY published_n LIMIT $2)
    UNION ALL
    (SELECT closed_n AS at, published_n, closed_n, filled_at FROM signals WHERE closed_n > $1 ORDER BY closed_n LIMIT $2)
    ORDER BY at LIMIT $2
  ) told JOIN signal_log p ON p.n = told.published_n LEFT JOIN signal_log c ON c.n = told.closed_n ORDER BY told.at`;

export async function eventsAfter(session: SqlSession, after: number, limit: number): Promise<StoredSignalEvent[]> {
  const rows = await session.rows<SignalEventRow>(EVENTS, [after, limit]);
  return rows.map(toStoredEvent);
}

export async function lastEventNumbers(
  session: SqlSession,
  symbols: readonly string[],
  until: number,
): Promise<ReadonlyMap<string, LastEventNumbers>> {
  // The index separates active from closed signals.
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
