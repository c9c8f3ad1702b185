// Days of the tape that signals were judged by, and which of them are sealed.
import type { Database } from 'bun:sqlite';
import type { MarketSymbol } from '@tickwire/engine';
import type { SealedRow } from '../signal-store.ts';
import { byDayAndSymbol, type SignalDay } from '../sql/rows.ts';
import { daysBetween } from '../tape-day.ts';

/** Records the days a closed signal was judged by. They may already be sealed because of another signal. */
export function recordJudgedDays(database: Database, symbol: string, quoteAt: number, decidedAt: number): void {
  const note = database.query('INSERT OR IGNORE INTO signal_days (day, symbol, sealed) VALUES (?, ?, 0)');
  // Signals are judged by seq, not by time: the deciding tick may have an earlier time than the accepted quote.
  const [from, to] = quoteAt <= decidedAt ? [quoteAt, decidedAt] : [decidedAt, quoteAt];
  for (const day of daysBetween(from, to)) note.run(day, symbol);
}

export function markDaySealed(database: Database, { day, symbol, n }: SealedRow): void {
  database
    .query(
      `INSERT INTO signal_days (day, symbol, sealed) VALUES (?, ?, ?)
       ON CONFLICT (day, symbol) DO UPDATE SET sealed = excluded.sealed`,
    )
    .run(day, symbol, n);
}

/** Days that are needed and not sealed, ascending. An active signal needs every day from its quote to `until`. */
export function unsealedDays(database: Database, until: number): SignalDay[] {
  const days = database.query<SignalDay, []>('SELECT day, symbol FROM signal_days WHERE sealed = 0').all();
  const recorded = database.query<{ sealed: number }, [string, string]>(
    'SELECT sealed FROM signal_days WHERE day = ? AND symbol = ?',
  );
  const active = database
    .query<{ symbol: MarketSymbol; since: number }, []>(
      'SELECT symbol, min(quote_at) AS since FROM signals WHERE active = 1 GROUP BY symbol',
    )
    .all();
  for (const { symbol, since } of active) {
    for (const day of daysBetween(since, until)) if (!recorded.get(day, symbol)) days.push({ day, symbol });
  }
  return days.sort(byDayAndSymbol);
}
