// Announced records of signals in log order, and the last of them by instrument.
import { type LastEventNumbers, SIGNAL_STREAMS, type SignalStream, type StoredSignalEvent } from '../signal-store.ts';
import { EVENT_COLUMNS, EVENT_JOINS, type SignalEventRow, toStoredEvent } from '../sql/rows.ts';
import type { SqlSession } from './database.ts';

const EVENTS = `SELECT ${EVENT_COLUMNS} FROM (
    SELECT n, published_n, stream FROM signal_records WHERE n > $1 AND stream IS NOT NULL ORDER BY n LIMIT $2
  ) r ${EVENT_JOINS} ORDER BY r.n`;

export async function eventsAfter(session: SqlSession, after: number, limit: number): Promise<StoredSignalEvent[]> {
  const rows = await session.rows<SignalEventRow>(EVENTS, [after, limit]);
  return rows.map(toStoredEvent);
}

export async function lastEventNumbers(
  session: SqlSession,
  symbols: readonly string[],
  until: number,
): Promise<ReadonlyMap<string, LastEventNumbers>> {
  const rows = await session.rows<{ symbol: string; stream: SignalStream; n: number }>(
    `SELECT symbol, stream, coalesce(
         (SELECT max(n) FROM signal_records r WHERE r.symbol = asked.symbol AND r.stream = s.stream AND r.n <= $3), 0) AS n
     FROM unnest($1::text[]) AS asked (symbol), unnest($2::text[]) AS s (stream)`,
    [symbols, SIGNAL_STREAMS, until],
  );
  const found = new Map(symbols.map((symbol) => [symbol, { published: 0, filled: 0, changed: 0, closed: 0 }]));
  for (const { symbol, stream, n } of rows) found.get(symbol)![stream] = n;
  return found;
}
