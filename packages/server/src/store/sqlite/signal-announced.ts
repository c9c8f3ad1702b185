// What was announced of signals, in the order of the log: publications and closings, and the last of them by instrument.
import type { Database } from 'bun:sqlite';
import type { Announced, LastAnnounced } from '../signal-store.ts';

// Both halves come in order off an index each, and are merged as far as the limit.
const ANNOUNCED = `SELECT p.n, p.hash, p.text, c.n AS closedN, c.hash AS closedHash, c.text AS closedText, filledAt
  FROM (
    SELECT published_n AS at, published_n, NULL AS closed_n, NULL AS filledAt FROM signals WHERE published_n > ?
    UNION ALL
    SELECT closed_n, published_n, closed_n, filled_at FROM signals WHERE closed_n > ?
    ORDER BY at LIMIT ?
  ) told JOIN signal_log p ON p.n = published_n LEFT JOIN signal_log c ON c.n = closed_n ORDER BY at`;

interface AnnouncedRow {
  readonly n: number;
  readonly hash: string;
  readonly text: string;
  readonly closedN: number | null;
  readonly closedHash: string;
  readonly closedText: string;
  readonly filledAt: number | null;
}

export const announcedAfter = (database: Database, after: number, limit: number): Announced[] =>
  database
    .query<AnnouncedRow, [number, number, number]>(ANNOUNCED)
    .all(after, after, limit)
    .map(({ n, hash, text, closedN, closedHash, closedText, filledAt }) => ({
      published: { n, hash, text },
      closed: closedN === null ? null : { n: closedN, hash: closedHash, text: closedText },
      filledAt,
    }));

export function lastAnnounced(
  database: Database,
  symbols: readonly string[],
  until: number,
): ReadonlyMap<string, LastAnnounced> {
  const published = database.query<{ n: number | null }, [string, number, number]>(
    'SELECT max(published_n) AS n FROM signals WHERE symbol = ? AND active = ? AND published_n <= ?',
  );
  const closed = database.query<{ n: number | null }, [string, number]>(
    'SELECT max(closed_n) AS n FROM signals WHERE symbol = ? AND closed_n <= ?',
  );
  const lastOf = (symbol: string): LastAnnounced => {
    // The index has active and closed ones apart.
    const last = Math.max(...[1, 0].map((active) => published.get(symbol, active, until)?.n ?? 0));
    return { published: last, any: Math.max(last, closed.get(symbol, until)?.n ?? 0) };
  };
  return new Map(symbols.map((symbol) => [symbol, lastOf(symbol)]));
}
