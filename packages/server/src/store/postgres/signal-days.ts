// Which days of the tape signals were judged by, and which of these are sealed.
import type { MarketSymbol } from '@tickwire/engine';
import type { ClosedRow, SealedRow } from '../signal-store.ts';
import { daysBetween } from '../tape-day.ts';
import { numbers } from './bulk.ts';
import type { Session } from './database.ts';

export interface SignalDay {
  readonly day: string;
  readonly symbol: MarketSymbol;
}

export interface JudgedSpan extends Pick<ClosedRow, 'decidedAt'> {
  readonly symbol: string;
  readonly quoteAt: number;
}

/** Notes the days closed signals were judged by. They may be sealed already, where another needed them too. */
export async function noteDays(session: Session, spans: readonly JudgedSpan[]): Promise<void> {
  const days = spans.flatMap(({ symbol, quoteAt, decidedAt }) =>
    // Signals go by order, not by clocks: the tick that decided may bear an earlier time than the one it was accepted against.
    daysBetween(Math.min(quoteAt, decidedAt), Math.max(quoteAt, decidedAt)).map((day) => ({ day, symbol })),
  );
  if (days.length === 0) return;
  await session.run(
    `INSERT INTO signal_days (day, symbol, sealed) SELECT day, symbol, 0 FROM unnest($1::text[], $2::text[]) AS d (day, symbol)
     ON CONFLICT DO NOTHING`,
    [days.map(({ day }) => day), days.map(({ symbol }) => symbol)],
  );
}

export async function sealDays(session: Session, rows: readonly SealedRow[]): Promise<void> {
  // The last seal of a day is the one that counts.
  const sealed = [...new Map(rows.map((row) => [`${row.day} ${row.symbol}`, row])).values()];
  if (sealed.length === 0) return;
  await session.run(
    `INSERT INTO signal_days (day, symbol, sealed) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
     ON CONFLICT (day, symbol) DO UPDATE SET sealed = excluded.sealed`,
    [sealed.map(({ day }) => day), sealed.map(({ symbol }) => symbol), numbers(sealed.map(({ n }) => n))],
  );
}

/** Days that are needed and not sealed, ascending; an active signal needs every day from its quote to `until`. */
export async function unsealedDays(session: Session, until: number): Promise<SignalDay[]> {
  const days = await session.rows<SignalDay>('SELECT day, symbol FROM signal_days WHERE sealed = 0');
  const active = await session.rows<{ symbol: MarketSymbol; since: number }>(
    'SELECT symbol, min(quote_at) AS since FROM signals WHERE active GROUP BY symbol',
  );
  const wanted = active.flatMap(({ symbol, since }) => daysBetween(since, until).map((day) => ({ day, symbol })));
  if (wanted.length > 0) {
    const noted = await session.rows<SignalDay>(
      'SELECT day, symbol FROM signal_days JOIN unnest($1::text[], $2::text[]) AS w (day, symbol) USING (day, symbol)',
      [wanted.map(({ day }) => day), wanted.map(({ symbol }) => symbol)],
    );
    const known = new Set(noted.map(({ day, symbol }) => `${day} ${symbol}`));
    days.push(...wanted.filter(({ day, symbol }) => !known.has(`${day} ${symbol}`)));
  }
  return days.sort((a, b) => (a.day < b.day || (a.day === b.day && a.symbol < b.symbol) ? -1 : 1));
}
