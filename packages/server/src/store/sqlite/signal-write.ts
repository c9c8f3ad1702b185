// Appends to the signal log and updates the signals it is about.
import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { StoreError } from '../../errors/store-error.ts';
import { type SignalWrite, StaleLogError } from '../signal-store.ts';
import { markDaySealed, recordJudgedDays } from './signal-days.ts';

/** Must be called in a transaction, which any error rolls back. `last` is the number of the last stored record. */
export function writeSignals(database: Database, write: SignalWrite, last: number): void {
  const append = database.query('INSERT INTO signal_log (n, hash, text) VALUES (?, ?, ?)');
  for (const [index, { n, hash, text }] of write.records.entries()) {
    const due = last + 1 + index;
    if (n !== due) throw new StaleLogError(`record ${n} does not follow: the next record of the signal log is ${due}`);
    append.run(n, hash, text);
  }
  const publish = database.query(
    `INSERT INTO signals (published_n, id, publisher, symbol, published_at, quote_at, filled_at, note, idem_key, idem_hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { n, id, publisher, symbol, at, quoteAt, filledAt, note, idempotency } of write.published) {
    const [key, hash] = idempotency ? [idempotency.key, idempotency.bodyHash] : [null, null];
    publish.run(n, id, publisher, symbol, at, quoteAt, filledAt, note, key, hash);
  }
  const fill = database.query(
    'UPDATE signals SET filled_at = ?, fill = ? WHERE id = ? AND active = 1 AND filled_at IS NULL',
  );
  for (const row of write.fills) {
    if (fill.run(row.filledAt, row.fill, row.id).changes !== 1)
      throw new StoreError(`signal ${row.id} cannot be filled: it is not pending`);
  }
  const close = database.query<{ symbol: string; quoteAt: number }, SQLQueryBindings[]>(
    `UPDATE signals SET closed_n = ?, closed_at = ?, decided_at = ?, reason = ?, pnl_r = ?, ranked = ?
     WHERE id = ? AND active = 1 RETURNING symbol, quote_at AS quoteAt`,
  );
  for (const { id, n, closedAt, decidedAt, reason, pnlR, ranked } of write.closed) {
    const closed = close.get(n, closedAt, decidedAt, reason, pnlR, ranked, id);
    if (!closed) throw new StoreError(`signal ${id} cannot be closed: it is not active`);
    recordJudgedDays(database, closed.symbol, closed.quoteAt, decidedAt);
  }
  const gap = database.query('INSERT OR REPLACE INTO signal_gaps (seq, symbol, "from", "to") VALUES (?, ?, ?, ?)');
  for (const { seq, symbol, from, to } of write.gaps) gap.run(seq, symbol, from, to);
  for (const sealed of write.sealed) markDaySealed(database, sealed);
  database
    .query(
      `INSERT INTO numbers (name, value) VALUES ('judged_until', ?)
       ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`,
    )
    .run(write.judgedUntil);
}
