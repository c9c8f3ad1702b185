// The signal log and its signals, in market.db of the realm.
import type { Database, SQLQueryBindings } from 'bun:sqlite';
import type { GapRow, SignalStore, StoredRecord, StoredSigningKey } from '../signal-store.ts';
import { CLOCK_SKEW_MS, type PublisherCount, publishedSince } from '../sql/published-since.ts';
import {
  bySignal,
  type OutcomeRow,
  type RecordOfSignal,
  SELECT_OUTCOMES,
  SELECT_SIGNAL,
  type StoredSignalRow,
  toStoredOutcome,
  toStoredSignal,
} from '../sql/rows.ts';
import { withFileErrors } from './errors.ts';
import { unsealedDays } from './signal-days.ts';
import { eventsAfter, lastEventNumbers } from './signal-events.ts';
import { writeSignals } from './signal-write.ts';

const RECORDS = `SELECT s.id, l.n, l.hash, l.text FROM json_each(?) asked JOIN signals s ON s.id = asked.value
  JOIN signal_records r ON r.published_n = s.published_n JOIN signal_log l ON l.n = r.n ORDER BY l.n`;

/** Values of the column `active`. */
const STATES = { active: [1], closed: [0], all: [1, 0] } as const;

export function createSignalStore(database: Database): SignalStore {
  const run = async <T>(work: () => T): Promise<T> => withFileErrors(database.filename, work);
  const signals = (where: string, ...values: SQLQueryBindings[]): StoredSignalRow[] =>
    database.query<StoredSignalRow, SQLQueryBindings[]>(`${SELECT_SIGNAL} WHERE ${where}`).all(...values);
  const tail = (): StoredRecord | null =>
    database.query<StoredRecord, []>('SELECT n, hash, text FROM signal_log ORDER BY n DESC LIMIT 1').get();

  return {
    write: (write) => run(() => database.transaction(() => writeSignals(database, write, tail()?.n ?? -1)).immediate()),
    tail: () => run(() => tail() ?? undefined),
    judgedUntil: () =>
      run(() => {
        const number = database.query<{ value: number }, []>("SELECT value FROM numbers WHERE name = 'judged_until'");
        return number.get()?.value ?? 0;
      }),
    log: (after, limit) =>
      run(() =>
        database
          .query<StoredRecord, [number, number]>('SELECT n, hash, text FROM signal_log WHERE n > ? ORDER BY n LIMIT ?')
          .all(after, limit),
      ),
    records: (ids) => run(() => bySignal(database.query<RecordOfSignal, [string]>(RECORDS).all(JSON.stringify(ids)))),
    events: (after, limit) => run(() => eventsAfter(database, after, limit)),
    lastEventNumbers: (symbols, until) => run(() => lastEventNumbers(database, symbols, until)),
    active: () => run(() => signals('s.active = 1 ORDER BY s.published_n').map(toStoredSignal)),
    signal: (id) => run(() => signals('s.id = ?', id).map(toStoredSignal)[0]),
    list: ({ status, symbol, publisher, beforeN = Number.MAX_SAFE_INTEGER, limit }) =>
      run(() => {
        const conditions = ['s.active = ?', 's.published_n < ?'];
        const values: SQLQueryBindings[] = [beforeN];
        if (publisher !== undefined) {
          conditions.push('s.publisher = ?');
          values.push(publisher);
        }
        if (symbol !== undefined) {
          conditions.push('s.symbol = ?');
          values.push(symbol);
        }
        const where = `${conditions.join(' AND ')} ORDER BY s.published_n DESC LIMIT ?`;
        return STATES[status]
          .flatMap((active) => signals(where, active, ...values, limit))
          .sort((a, b) => b.n - a.n)
          .slice(0, limit)
          .map(toStoredSignal);
      }),
    byIdempotencyKey: (publisher, key, since) =>
      run(() => {
        const where = 's.publisher = ? AND s.idem_key = ? AND s.published_at >= ? ORDER BY s.published_n DESC LIMIT 1';
        const [row] = signals(where, publisher, key, since);
        return row && { signal: toStoredSignal(row), bodyHash: row.bodyHash! };
      }),
    outcomes: () => run(() => database.query<OutcomeRow, []>(SELECT_OUTCOMES).all().map(toStoredOutcome)),
    publishedSince: (time) =>
      run(() => {
        const rows = database
          .query<PublisherCount, [number, number]>(publishedSince('?', '?'))
          .all(time - CLOCK_SKEW_MS, time);
        return new Map(rows.map(({ publisher, count }) => [publisher, count]));
      }),
    voids: () =>
      run(() => database.query<{ count: number }, []>('SELECT count(voided_n) AS count FROM signals').get()!.count),
    signingKeys: () =>
      run(() =>
        database
          .query<StoredSigningKey, []>(
            'SELECT publisher, public_key AS publicKey, n, signed_at AS signedAt FROM signal_keys ORDER BY n',
          )
          .all(),
      ),
    notes: () =>
      run(() =>
        database.query<{ id: string; note: string }, []>('SELECT id, note FROM signals WHERE note IS NOT NULL').all(),
      ),
    gaps: () =>
      run(() =>
        database.query<GapRow, []>('SELECT symbol, seq, "from", "to" FROM signal_gaps ORDER BY seq, symbol').all(),
      ),
    forgetGaps: (seq) =>
      run(() => {
        database.query('DELETE FROM signal_gaps WHERE seq <= ?').run(seq);
      }),
    unsealed: (until) => run(() => unsealedDays(database, until)),
    seals: (symbol, first, last) =>
      run(() =>
        database
          .query<StoredRecord, [string, string, string]>(
            `SELECT n, hash, text FROM signal_days JOIN signal_log ON n = sealed
             WHERE sealed > 0 AND symbol = ? AND day >= ? AND day <= ? ORDER BY day`,
          )
          .all(symbol, first, last),
      ),
  };
}
