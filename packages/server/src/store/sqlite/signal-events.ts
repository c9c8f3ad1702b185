// Publications and closings of signals in log order, and the last of them by instrument.
import type { Database } from 'bun:sqlite';
import type { LastEventNumbers, StoredSignalEvent } from '../signal-store.ts';
import { type SignalEventRow, toStoredEvent } from '../sql/rows.ts';

// Each half is read in index order; the halves are merged up to the limit.
const EVENTS = `SELECT p.n, p.hash, p.text, c.n AS closedN, c.hash AS closedHash, c.text AS closedText, filledAt
  FROM (
    SELECT published_n AS at, published_n, NULL AS closed_n, NULL AS filledAt FROM signals WHERE published_n > ?
    UNION ALL
    SELECT closed_n, published_n, closed_n, filled_at FROM signals WHERE closed_n > ?
    ORDER BY at LIMIT ?
  ) told JOIN signal_log p ON p.n = published_n LEFT JOIN signal_log c ON c.n = closed_n ORDER BY at`;

export const eventsAfter = (database: Database, after: number, limit: number): StoredSignalEvent[] =>
  database.query<SignalEventRow, [number, number, number]>(EVENTS).all(after, after, limit).map(toStoredEvent);

export function lastEventNumbers(
  database: Database,
  symbols: readonly string[],
  until: number,
): ReadonlyMap<string, LastEventNumbers> {
  const published = database.query<{ n: number | null }, [string, number, number]>(
    'SELECT max(published_n) AS n FROM signals WHERE symbol = ? AND active = ? AND published_n <= ?',
  );
  const closed = database.query<{ n: number | null }, [string, number]>(
    'SELECT max(closed_n) AS n FROM signals WHERE symbol = ? AND closed_n <= ?',
  );
  const lastOf = (symbol: string): LastEventNumbers => {
    // The index separates active from closed signals.
    const last = Math.max(...[1, 0].map((active) => published.get(symbol, active, until)?.n ?? 0));
    return { published: last, any: Math.max(last, closed.get(symbol, until)?.n ?? 0) };
  };
  return new Map(symbols.map((symbol) => [symbol, lastOf(symbol)]));
}
