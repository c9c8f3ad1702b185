// Appends to the signal log and updates the signals it is about.
import { StoreError } from '../../errors/store-error.ts';
import { type SignalWrite, StaleLogError, type StoredRecord } from '../signal-store.ts';
import { rows, rowsFor, run, runFor, type SharedWork } from './shared-work.ts';
import { type JudgedSpan, markDaysSealed, recordJudgedDays } from './signal-days.ts';
import { columnsWithout, put, storedFields } from './stored-fields.ts';
import { SIGNAL_GAPS, SIGNAL_LOG, SIGNALS } from './tables/signal-tables.ts';

const LOG = storedFields(SIGNAL_LOG);
const GAPS = storedFields(SIGNAL_GAPS);
/** Of a publication. */
const PUBLISHED = storedFields(
  SIGNALS,
  columnsWithout(SIGNALS, 'closed_n', 'filled_at', 'decided_at', 'rank_r', 'voided_n'),
);

const JUDGED = 'symbol, quote_at AS "quoteAt", decided_at AS "decidedAt"';

/** Must be called in a transaction, which any error rolls back. */
export function* writeSignals(write: SignalWrite): SharedWork<void> {
  yield* append(write.records);
  yield* runFor(
    PUBLISHED.insert,
    PUBLISHED.columns,
    write.published.map((row) => ({
      publishedN: row.n,
      id: row.id,
      publisher: row.publisher,
      symbol: row.symbol,
      publishedAt: row.at,
      quoteAt: row.quoteAt,
      note: row.note,
      idemKey: row.idempotency?.key ?? null,
      idemHash: row.idempotency?.bodyHash ?? null,
    })),
  );
  const aboutSignals = yield* runFor(
    `INSERT INTO signal_records (n, published_n, symbol, stream)
     SELECT r.n, s.published_n, s.symbol, r.stream FROM signals s, {records} WHERE s.id = r.id`,
    { n: 'int', id: 'text', stream: 'text' },
    write.ofSignals,
  );
  if (aboutSignals !== write.ofSignals.length) throw new StoreError('a record is about a signal that does not exist');
  yield* fill(write.fills);
  yield* close(write.closed);
  for (const row of write.voided) yield* voidSignal(row);
  yield* signingKeys(write);
  yield* put(GAPS, write.gaps);
  yield* markDaysSealed(write.sealed);
  yield* run(
    `INSERT INTO numbers (name, value) VALUES ('judged_until', $1)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE numbers.value < excluded.value`,
    write.judgedUntil,
  );
}

export function* readTail(): SharedWork<StoredRecord | undefined> {
  return (yield* rows<StoredRecord>('SELECT n, hash, text FROM signal_log ORDER BY n DESC LIMIT 1'))[0];
}

/** Records must follow the stored tail: a writer that has not seen the last record is rejected, so the chain never forks. */
function* append(records: SignalWrite['records']): SharedWork<void> {
  const [first] = records;
  if (!first) return;
  const tail = yield* readTail();
  for (const [index, { n }] of records.entries()) {
    const due = (tail?.n ?? -1) + 1 + index;
    if (n !== due) throw new StaleLogError(`record ${n} does not follow: the next record of the signal log is ${due}`);
  }
  const { prev } = JSON.parse(first.text) as { prev?: string };
  if (tail && prev !== undefined && prev !== tail.hash)
    throw new StaleLogError(`record ${first.n} does not follow: it was made for another record ${tail.n}`);
  yield* runFor(LOG.insert, LOG.columns, records);
}

function* fill(fills: SignalWrite['fills']): SharedWork<void> {
  const filled = yield* runFor(
    `UPDATE signals SET filled_at = r."filledAt" FROM {records} WHERE id = r.signal AND active = 1 AND filled_at IS NULL`,
    { signal: 'text', filledAt: 'int' },
    fills.map(({ id, filledAt }) => ({ signal: id, filledAt })),
  );
  if (filled !== fills.length) throw new StoreError('a signal cannot be filled: it is not pending');
}

function* close(closings: SignalWrite['closed']): SharedWork<void> {
  const judged = yield* rowsFor<JudgedSpan, 'signal' | 'n' | 'decided' | 'ranked'>(
    `UPDATE signals SET closed_n = r.n, decided_at = r.decided, rank_r = r.ranked
     FROM {records} WHERE id = r.signal AND active = 1 RETURNING ${JUDGED}`,
    { signal: 'text', n: 'int', decided: 'int', ranked: 'float' },
    closings.map(({ id, n, decidedAt, rankR }) => ({
      signal: id,
      n,
      decided: decidedAt,
      ranked: rankR,
    })),
  );
  if (judged.length !== closings.length) throw new StoreError('a signal cannot be closed: it is not active');
  yield* recordJudgedDays(judged);
}

/** A signal that was closed before keeps its closing. */
function* voidSignal({ id, n, at }: SignalWrite['voided'][number]): SharedWork<void> {
  const voided = yield* rows<JudgedSpan>(
    `UPDATE signals SET voided_n = $1, closed_n = coalesce(closed_n, $1), decided_at = coalesce(decided_at, $2), rank_r = 0
     WHERE id = $3 AND voided_n IS NULL RETURNING ${JUDGED}`,
    n,
    at,
    id,
  );
  if (voided.length === 0) throw new StoreError(`signal ${id} cannot be voided: it is unknown, or was voided before`);
  yield* recordJudgedDays(voided);
}

function* signingKeys({ signingKeys, signed }: SignalWrite): SharedWork<void> {
  for (const { publisher, publicKey, n } of signingKeys)
    yield* run(
      `INSERT INTO signal_keys (publisher, public_key, n, signed_at) VALUES ($1, $2, $3, 0)
       ON CONFLICT (publisher) DO UPDATE SET public_key = excluded.public_key, n = excluded.n`,
      publisher,
      publicKey,
      n,
    );
  for (const { publisher, signedAt } of signed)
    yield* run('UPDATE signal_keys SET signed_at = $1 WHERE publisher = $2 AND signed_at < $1', signedAt, publisher);
}
