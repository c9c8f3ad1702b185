// Days of the tape that signals were judged by, and which of them are sealed.
import type { MarketSymbol } from '@tickwire/engine';
import type { ClosedRow, SealedRow } from '../signal-store.ts';
import { byDayAndSymbol, type SignalDay } from '../sql/rows.ts';
import { daysBetween } from '../tape-day.ts';
import { numbers } from './bulk.ts';
import type { SqlSession } from './database.ts';

export interface JudgedSpan extends Pick<ClosedRow, 'decidedAt'> {
  readonly symbol: string;
  readonly quoteAt: number;
}

/** Records the days closed signals were judged by. They may already be sealed because of another signal. */
export async function recordJudgedDays(session: SqlSession, spans: readonly JudgedSpan[]): Promise<void> {
  const days = spans.flatMap(({ symbol, quoteAt, decidedAt }) =>
    // Signals are judged by seq, not by time: the deciding tick may have an earlier time than the accepted quote.
    daysBetween(Math.min(quoteAt, decidedAt), Math.max(quoteAt, decidedAt)).map((day) => ({ day, symbol })),
  );
  if (days.length === 0) return;
  await session.run(
    `INSERT INTO signal_days (day, symbol, sealed) SELECT day, symbol, 0 FROM unnest($1::text[], $2::text[]) AS d (day, symbol)
     ON CONFLICT DO NOTHING`,
    [days.map(({ day }) => day), days.map(({ symbol }) => symbol)],
  );
}

export async function markDaysSealed(session: SqlSession, rows: readonly SealedRow[]): Promise<void> {
  // The last seal of a day counts.
  const sealed = [...new Map(rows.map((row) => [`${row.day} ${row.symbol}`, row])).values()];
  if (sealed.length === 0) return;
  await session.run(
    `INSERT INTO signal_days (day, symbol, sealed) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
     ON CONFLICT (day, symbol) DO UPDATE SET sealed = excluded.sealed`,
    [sealed.map(({ day }) => day), sealed.map(({ symbol }) => symbol), numbers(sealed.map(({ n }) => n))],
  );
}

/** Days that are needed and not sealed, ascending. An active signal needs every day from its quote to `until`. */
export async function unsealedDays(session: SqlSession, until: number): Promise<SignalDay[]> {
  const days = await session.rows<SignalDay>('SELECT day, symbol FROM signal_days WHERE sealed = 0');
  const active = await session.rows<{ symbol: MarketSymbol; since: number }>(
    'SELECT symbol, min(quote_at) AS since FROM signals WHERE active GROUP BY symbol',
  );
  const wanted = active.flatMap(({ symbol, since }) => daysBetween(since, until).map((day) => ({ day, symbol })));
  if (wanted.length > 0) {
    const recorded = await session.rows<SignalDay>(
      'SELECT day, symbol FROM signal_days JOIN unnest($1::text[], $2::text[]) AS w (day, symbol) USING (day, symbol)',
      [wanted.map(({ day }) => day), wanted.map(({ symbol }) => symbol)],
    );
    const known = new Set(recorded.map(({ day, symbol }) => `${day} ${symbol}`));
    days.push(...wanted.filter(({ day, symbol }) => !known.has(`${day} ${symbol}`)));
  }
  return days.sort(byDayAndSymbol);
}
