// Appends to the signal log and updates the signals it is about.
import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { StoreError } from '../../errors/store-error.ts';
import { type ClosedRow, type PublishedRow, type SignalWrite, StaleLogError, type VoidedRow } from '../signal-store.ts';
import { sourcesText } from '../sql/rows.ts';
import { markDaySealed, recordJudgedDays } from './signal-days.ts';

/** Must be called in a transaction, which any error rolls back. `last` is the number of the last stored record. */
export function writeSignals(database: Database, write: SignalWrite, last: number): void {
  const append = database.query('INSERT INTO signal_log (n, hash, text) VALUES (?, ?, ?)');
  for (const [index, { n, hash, text }] of write.records.entries()) {
    const due = last + 1 + index;
    if (n !== due) throw new StaleLogError(`record ${n} does not follow: the next record of the signal log is ${due}`);
    append.run(n, hash, text);
  }
  for (const row of write.published) publishSignal(database, row);
  const ofSignal = database.query(
    'INSERT INTO signal_records (n, published_n, symbol, stream) SELECT ?, published_n, symbol, ? FROM signals WHERE id = ?',
  );
  for (const { n, id, stream } of write.ofSignals) {
    if (ofSignal.run(n, stream, id).changes !== 1) throw new StoreError(`there is no signal ${id}`);
  }
  const fill = database.query(
    'UPDATE signals SET filled_at = ?, filled_source = ?, fill = ? WHERE id = ? AND active = 1 AND filled_at IS NULL',
  );
  for (const row of write.fills) {
    if (fill.run(row.filledAt, row.source, row.fill, row.id).changes !== 1)
      throw new StoreError(`signal ${row.id} cannot be filled: it is not pending`);
  }
  const request = database.query('UPDATE signals SET close_requested_at = ? WHERE id = ? AND active = 1');
  for (const { id, at } of write.closeRequests) {
    if (request.run(at, id).changes !== 1) throw new StoreError(`signal ${id} cannot be closed: it is not active`);
  }
  for (const row of write.closed) closeSignal(database, row);
  for (const row of write.voided) voidSignal(database, row);
  const key = database.query(
    `INSERT INTO signal_keys (publisher, public_key, n, signed_at) VALUES (?, ?, ?, 0)
     ON CONFLICT (publisher) DO UPDATE SET public_key = excluded.public_key, n = excluded.n`,
  );
  for (const { publisher, publicKey, n } of write.signingKeys) key.run(publisher, publicKey, n);
  const signed = database.query('UPDATE signal_keys SET signed_at = max(signed_at, ?) WHERE publisher = ?');
  for (const { publisher, signedAt } of write.signed) signed.run(signedAt, publisher);
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

function publishSignal(database: Database, row: PublishedRow): void {
  const { idempotency } = row;
  database
    .query(
      `INSERT INTO signals (published_n, id, publisher, symbol, rules, direction, order_kind, planned_risk, planned_reward,
         source, published_at, quote_at, note, idem_key, idem_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.n,
      row.id,
      row.publisher,
      row.symbol,
      row.rules,
      row.direction,
      row.order,
      row.plannedRisk,
      row.plannedReward,
      row.source,
      row.at,
      row.quoteAt,
      row.note,
      idempotency?.key ?? null,
      idempotency?.bodyHash ?? null,
    );
}

interface Judged {
  readonly symbol: string;
  readonly quoteAt: number;
  readonly decidedAt: number;
}
const JUDGED = 'symbol, quote_at AS quoteAt, decided_at AS decidedAt';

function closeSignal(database: Database, row: ClosedRow): void {
  const closed = database
    .query<Judged, SQLQueryBindings[]>(
      `UPDATE signals SET closed_n = ?, closed_at = ?, decided_at = ?, reason = ?, pnl_r = ?, rank_r = ?, gap = ?,
         self_sourced = ?, withdrawn = ?, decided_source = ?, exit_sources = ?
       WHERE id = ? AND active = 1 RETURNING ${JUDGED}`,
    )
    .get(
      row.n,
      row.closedAt,
      row.decidedAt,
      row.reason,
      row.pnlR,
      row.rankR,
      row.gap,
      row.selfSourced,
      row.withdrawn,
      row.decidedSource,
      sourcesText(row.exitSources),
      row.id,
    );
  if (!closed) throw new StoreError(`signal ${row.id} cannot be closed: it is not active`);
  recordJudgedDays(database, closed.symbol, closed.quoteAt, closed.decidedAt);
}

/** A signal that was closed before keeps the time of its closing. */
function voidSignal(database: Database, { id, n, at }: VoidedRow): void {
  const voided = database
    .query<Judged, SQLQueryBindings[]>(
      `UPDATE signals SET voided_n = ?, closed_n = coalesce(closed_n, ?), closed_at = coalesce(closed_at, ?),
         decided_at = coalesce(decided_at, ?), reason = 'voided', pnl_r = 0, rank_r = 0, gap = coalesce(gap, 0),
         self_sourced = coalesce(self_sourced, 0), withdrawn = coalesce(withdrawn, 0)
       WHERE id = ? AND voided_n IS NULL RETURNING ${JUDGED}`,
    )
    .get(n, n, at, at, id);
  if (!voided) throw new StoreError(`signal ${id} cannot be voided: it is unknown, or was voided before`);
  recordJudgedDays(database, voided.symbol, voided.quoteAt, voided.decidedAt);
}
