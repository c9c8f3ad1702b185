// Appends to the signal log and updates its signals. Appends of all processes take turns by a transaction lock, and
// each must follow the stored tail: a writer that has not seen the last record is rejected, so the chain never forks.
import { StoreError } from '../../errors/store-error.ts';
import { type SignalWrite, StaleLogError, type StoredRecord } from '../signal-store.ts';
import { sourcesText } from '../sql/rows.ts';
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
  await recordsOfSignals(session, write.ofSignals);
  for (const { id, filledAt, source, fill } of write.fills) {
    const filled = await session.run(
      `UPDATE signals SET filled_at = $1, filled_source = $2, fill = $3 WHERE id = $4 AND active AND filled_at IS NULL`,
      [filledAt, source, fill, id],
    );
    if (filled !== 1) throw new StoreError(`signal ${id} cannot be filled: it is not pending`);
  }
  for (const { id, at } of write.closeRequests) {
    const requested = await session.run('UPDATE signals SET close_requested_at = $1 WHERE id = $2 AND active', [
      at,
      id,
    ]);
    if (requested !== 1) throw new StoreError(`signal ${id} cannot be closed: it is not active`);
  }
  await close(session, write.closed);
  await voidSignals(session, write.voided);
  await signingKeys(session, write);
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
    `INSERT INTO signals (published_n, id, publisher, symbol, rules, direction, order_kind, planned_risk, planned_reward, source,
       published_at, quote_at, note, idem_key, idem_hash)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::float8[],
       $9::float8[], $10::text[], $11::bigint[], $12::bigint[], $13::text[], $14::text[], $15::bytea[])`,
    [
      numbers(rows.map(({ n }) => n)),
      rows.map(({ id }) => id),
      rows.map(({ publisher }) => publisher),
      rows.map(({ symbol }) => symbol),
      numbers(rows.map(({ rules }) => rules)),
      rows.map(({ direction }) => direction),
      rows.map(({ order }) => order),
      numbers(rows.map(({ plannedRisk }) => plannedRisk)),
      numbers(rows.map(({ plannedReward }) => plannedReward)),
      rows.map(({ source }) => source),
      numbers(rows.map(({ at }) => at)),
      numbers(rows.map(({ quoteAt }) => quoteAt)),
      rows.map(({ note }) => note),
      rows.map(({ idempotency }) => idempotency?.key ?? null),
      rows.map(({ idempotency }) => (idempotency ? Buffer.from(idempotency.bodyHash) : null)),
    ],
  );
}

async function recordsOfSignals(session: SqlSession, rows: SignalWrite['ofSignals']): Promise<void> {
  if (rows.length === 0) return;
  const inserted = await session.run(
    `INSERT INTO signal_records (n, published_n, symbol, stream)
     SELECT r.n, s.published_n, s.symbol, r.stream
     FROM unnest($1::bigint[], $2::text[], $3::text[]) AS r (n, id, stream) JOIN signals s ON s.id = r.id`,
    [numbers(rows.map(({ n }) => n)), rows.map(({ id }) => id), rows.map(({ stream }) => stream)],
  );
  if (inserted !== rows.length) throw new StoreError('a record is about a signal that does not exist');
}

const JUDGED = 'symbol, quote_at AS "quoteAt", decided_at AS "decidedAt"';

async function close(session: SqlSession, rows: SignalWrite['closed']): Promise<void> {
  const spans: JudgedSpan[] = [];
  for (const row of rows) {
    const [closed] = await session.rows<JudgedSpan>(
      `UPDATE signals SET closed_n = $1, closed_at = $2, decided_at = $3, reason = $4, pnl_r = $5, rank_r = $6, gap = $7,
         self_sourced = $8, withdrawn = $9, decided_source = $10, exit_sources = $11
       WHERE id = $12 AND active RETURNING ${JUDGED}`,
      [
        row.n,
        row.closedAt,
        row.decidedAt,
        row.reason,
        row.pnlR,
        row.rankR,
        Number(row.gap),
        Number(row.selfSourced),
        Number(row.withdrawn),
        row.decidedSource,
        sourcesText(row.exitSources),
        row.id,
      ],
    );
    if (!closed) throw new StoreError(`signal ${row.id} cannot be closed: it is not active`);
    spans.push(closed);
  }
  await recordJudgedDays(session, spans);
}

/** A signal that was closed before keeps the time of its closing. */
async function voidSignals(session: SqlSession, rows: SignalWrite['voided']): Promise<void> {
  const spans: JudgedSpan[] = [];
  for (const { id, n, at } of rows) {
    const [voided] = await session.rows<JudgedSpan>(
      `UPDATE signals SET voided_n = $1, closed_n = coalesce(closed_n, $1), closed_at = coalesce(closed_at, $2),
         decided_at = coalesce(decided_at, $2), reason = 'voided', pnl_r = 0, rank_r = 0, gap = coalesce(gap, 0),
         self_sourced = coalesce(self_sourced, 0), withdrawn = coalesce(withdrawn, 0)
       WHERE id = $3 AND voided_n IS NULL RETURNING ${JUDGED}`,
      [n, at, id],
    );
    if (!voided) throw new StoreError(`signal ${id} cannot be voided: it is unknown, or was voided before`);
    spans.push(voided);
  }
  await recordJudgedDays(session, spans);
}

async function signingKeys(session: SqlSession, { signingKeys, signed }: SignalWrite): Promise<void> {
  for (const { publisher, publicKey, n } of signingKeys)
    await session.run(
      `INSERT INTO signal_keys (publisher, public_key, n, signed_at) VALUES ($1, $2, $3, 0)
       ON CONFLICT (publisher) DO UPDATE SET public_key = excluded.public_key, n = excluded.n`,
      [publisher, publicKey, n],
    );
  for (const { publisher, signedAt } of signed)
    await session.run('UPDATE signal_keys SET signed_at = greatest(signed_at, $1) WHERE publisher = $2', [
      signedAt,
      publisher,
    ]);
}
