// Stretches in which the source of a symbol was connected.
import type { Watched } from '../store.ts';
import { numbers } from './bulk.ts';
import type { Session } from './database.ts';

const PUT = `INSERT INTO watched (symbol, "from", "to") SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
  ON CONFLICT (symbol, "from") DO UPDATE SET "to" = excluded."to"`;

/** Lengthens the stretch that ends where this one begins, or begins a new one. */
export async function watchStretch(session: Session, { symbols, from, to }: Watched): Promise<void> {
  const lengthened = await session.rows<{ symbol: string }>(
    'UPDATE watched SET "to" = $1 WHERE symbol = ANY($2::text[]) AND "to" = $3 RETURNING symbol',
    [to, symbols, from],
  );
  const done = new Set(lengthened.map(({ symbol }) => symbol));
  const begun = [...new Set(symbols)].filter((symbol) => !done.has(symbol));
  if (begun.length > 0) await session.run(PUT, [begun, numbers(begun.map(() => from)), numbers(begun.map(() => to))]);
}

/** Joins the stretch with all it touches or lies in: what is imported may overlap anything. */
export async function joinStretch(session: Session, { symbols, from, to }: Watched): Promise<void> {
  const touching = await session.rows<{ symbol: string; from: number; to: number }>(
    `DELETE FROM watched WHERE symbol = ANY($1::text[]) AND "to" >= $2 AND "from" <= $3 RETURNING symbol, "from", "to"`,
    [symbols, from, to],
  );
  const joined = new Map([...symbols].map((symbol): [string, { from: number; to: number }] => [symbol, { from, to }]));
  for (const known of touching) {
    const stretch = joined.get(known.symbol)!;
    joined.set(known.symbol, { from: Math.min(stretch.from, known.from), to: Math.max(stretch.to, known.to) });
  }
  const stretches = [...joined.values()];
  await session.run(PUT, [
    [...joined.keys()],
    numbers(stretches.map((stretch) => stretch.from)),
    numbers(stretches.map((stretch) => stretch.to)),
  ]);
}
