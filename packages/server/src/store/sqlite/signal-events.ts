// Announced records of signals in log order, and the last of them by instrument.
import type { Database } from 'bun:sqlite';
import { type LastEventNumbers, SIGNAL_STREAMS, type StoredSignalEvent } from '../signal-store.ts';
import { EVENT_COLUMNS, EVENT_JOINS, type SignalEventRow, toStoredEvent } from '../sql/rows.ts';

const EVENTS = `SELECT ${EVENT_COLUMNS} FROM signal_records r ${EVENT_JOINS}
  WHERE r.n > ? AND r.stream IS NOT NULL ORDER BY r.n LIMIT ?`;

export const eventsAfter = (database: Database, after: number, limit: number): StoredSignalEvent[] =>
  database.query<SignalEventRow, [number, number]>(EVENTS).all(after, limit).map(toStoredEvent);

export function lastEventNumbers(
  database: Database,
  symbols: readonly string[],
  until: number,
): ReadonlyMap<string, LastEventNumbers> {
  const last = database.query<{ n: number | null }, [string, string, number]>(
    'SELECT max(n) AS n FROM signal_records WHERE symbol = ? AND stream = ? AND n <= ?',
  );
  const lastOf = (symbol: string): LastEventNumbers =>
    Object.fromEntries(
      SIGNAL_STREAMS.map((stream) => [stream, last.get(symbol, stream, until)?.n ?? 0]),
    ) as LastEventNumbers;
  return new Map(symbols.map((symbol) => [symbol, lastOf(symbol)]));
}
