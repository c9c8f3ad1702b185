// Periods in which the source of a symbol was connected (table `watched`). Must be called in a transaction.
import type { Watched } from '../market-store.ts';
import { numbers } from './bulk.ts';
import type { SqlSession } from './database.ts';

const PUT = `INSERT INTO watched (symbol, "from", "to") SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
  ON CONFLICT (symbol, "from") DO UPDATE SET "to" = excluded."to"`;

/** Extends the period that ends where this one begins, or starts a new one. */
export async function extendWatched(session: SqlSession, { symbols, from, to }: Watched): Promise<void> {
  const extended = await session.rows<{ symbol: string }>(
    'UPDATE watched SET "to" = $1 WHERE symbol = ANY($2::text[]) AND "to" = $3 RETURNING symbol',
    [to, symbols, from],
  );
  const done = new Set(extended.map(({ symbol }) => symbol));
  const started = [...new Set(symbols)].filter((symbol) => !done.has(symbol));
  if (started.length > 0)
    await session.run(PUT, [started, numbers(started.map(() => from)), numbers(started.map(() => to))]);
}

/** Merges the period with all periods it touches or overlaps: imported data may overlap anything. */
export async function mergeWatched(session: SqlSession, { symbols, from, to }: Watched): Promise<void> {
  const touching = await session.rows<{ symbol: string; from: number; to: number }>(
    `DELETE FROM watched WHERE symbol = ANY($1::text[]) AND "to" >= $2 AND "from" <= $3 RETURNING symbol, "from", "to"`,
    [symbols, from, to],
  );
  const merged = new Map([...symbols].map((symbol): [string, { from: number; to: number }] => [symbol, { from, to }]));
  for (const known of touching) {
    const period = merged.get(known.symbol)!;
    merged.set(known.symbol, { from: Math.min(period.from, known.from), to: Math.max(period.to, known.to) });
  }
  const periods = [...merged.values()];
  await session.run(PUT, [
    [...merged.keys()],
    numbers(periods.map((period) => period.from)),
    numbers(periods.map((period) => period.to)),
  ]);
}
