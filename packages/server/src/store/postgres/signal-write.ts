// Appends to the signal log and updates its signals. Appends of all processes take turns by a transaction lock, and
// each must follow the stored tail: a writer that has not seen the last record is rejected, so the chain never forks.
import { StoreError } from '../../errors/store-error.ts';
import { type SignalWrite, StaleLogError, type StoredRecord } from '../signal-store.ts';
import { numbers } from './bulk.ts';
import type { SqlSession } from './database.ts';
import { type JudgedSpan, markDaysSealed, recordJudgedDays } from './signal-days.ts';

/** Held to the end of the transaction: no other append runs meanwhile, not even one whose response was lost. */
export const lockLog = (session: SqlSession, realm: string): Promise<unknown> =>
  session.rows('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', ['tickwire signal log', realm]);

export const TAIL = 'SELECT n, hash, text FROM signal_log ORDER BY n DESC LIMIT 1';

/** Must be called in a transaction, which any error rolls back. */
export async function writeSignals(session: SqlSession, write: SignalWrite): Promise<void> {
  await append(session, write.records);
  await publish(session, write.published);
  for (const { id, filledAt, fill } of write.fills) {
    const filled = await session.run(
      'UPDATE signals SET filled_at = $1, fill = $2 WHERE id = $3 AND active AND filled_at IS NULL',
      [filledAt, fill, id],
    );
    if (filled !== 1) throw new StoreError(`signal ${id} cannot be filled: it is not pending`);
  }
  await close(session, write.closed);
  for (const { seq, symbol, from, to } of write.gaps)
    await session.run(
      `INSERT INTO signal_gaps (seq, symbol, "from", "to") VALUES ($1, $2, $3, $4)
       ON CONFLICT (seq, symbol) DO UPDATE SET "from" = excluded."from", "to" = excluded."to"`,
      [seq, symbol, from, to],
    );
  await markDaysSealed(session, write.sealed);
  await session.run(
    `INSERT INTO numbers (name, value) VALUES ('judged_until', $1)
     ON CONFLICT (name) DO UPDATE SET value = greatest(numbers.value, excluded.value)`,
    [write.judgedUntil],
  );
}

async function append(session: SqlSession, records: readonly StoredRecord[]): Promise<void> {
  const [first] = records;
  if (!first) return;
  const [tail] = await session.rows<StoredRecord>(TAIL);
  for (const [index, { n }] of records.entries()) {
    const due = (tail?.n ?? -1) + 1 + index;
    if (n !== due) throw new StaleLogError(`record ${n} does not follow: the next record of the signal log is ${due}`);
  }
  const prev = prevOf(first);
  if (tail && prev !== undefined && prev !== tail.hash)
    throw new StaleLogError(`record ${first.n} does not follow: it was made for another record ${tail.n}`);
  await session.run(
    'INSERT INTO signal_log (n, hash, text) SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[])',
    [numbers(records.map(({ n }) => n)), records.map(({ hash }) => hash), records.map(({ text }) => text)],
  );
}

/** The hash of the previous record, as stated in the record. */
const prevOf = ({ text }: StoredRecord): string | undefined => (JSON.parse(text) as { prev?: string }).prev;

async function publish(session: SqlSession, rows: SignalWrite['published']): Promise<void> {
  if (rows.length === 0) return;
  await session.run(
    `INSERT INTO signals (published_n, id, publisher, symbol, published_at, quote_at, filled_at, note, idem_key, idem_hash)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[],
       $8::text[], $9::text[], $10::bytea[])`,
    [
      numbers(rows.map(({ n }) => n)),
      rows.map(({ id }) => id),
      rows.map(({ publisher }) => publisher),
      rows.map(({ symbol }) => symbol),
      numbers(rows.map(({ at }) => at)),
      numbers(rows.map(({ quoteAt }) => quoteAt)),
      numbers(rows.map(({ filledAt }) => filledAt)),
      rows.map(({ note }) => note),
      rows.map(({ idempotency }) => idempotency?.key ?? null),
      rows.map(({ idempotency }) => (idempotency ? Buffer.from(idempotency.bodyHash) : null)),
    ],
  );
}

async function close(session: SqlSession, rows: SignalWrite['closed']): Promise<void> {
  const spans: JudgedSpan[] = [];
  for (const { id, n, closedAt, decidedAt, reason, pnlR, ranked } of rows) {
    const [closed] = await session.rows<{ symbol: string; quoteAt: number }>(
      `UPDATE signals SET closed_n = $1, closed_at = $2, decided_at = $3, reason = $4, pnl_r = $5, ranked = $6
       WHERE id = $7 AND active RETURNING symbol, quote_at AS "quoteAt"`,
      [n, closedAt, decidedAt, reason, pnlR, Number(ranked), id],
    );
    if (!closed) throw new StoreError(`signal ${id} cannot be closed: it is not active`);
    spans.push({ ...closed, decidedAt });
  }
  await recordJudgedDays(session, spans);
}
