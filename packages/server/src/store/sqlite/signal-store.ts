// The signal log and the signals it tells of, in the realm's market.db.
import type { Database, SQLQueryBindings } from 'bun:sqlite';
import {
  type GapRow,
  type Outcome,
  type SignalStore,
  type SignalWrite,
  StaleLogError,
  type StoredRecord,
  type StoredSignal,
} from '../signal-store.ts';
import { StoreError } from '../store.ts';
import { explained } from './database.ts';
import { announcedAfter, lastAnnounced } from './signal-announced.ts';
import { noteDays, sealDay, unsealedDays } from './signal-days.ts';

const SIGNAL = `SELECT s.id, s.note, s.fill, s.idem_hash AS bodyHash, p.n, p.hash, p.text,
    c.n AS closedN, c.hash AS closedHash, c.text AS closedText
  FROM signals s JOIN signal_log p ON p.n = s.published_n LEFT JOIN signal_log c ON c.n = s.closed_n`;

interface SignalRow extends StoredRecord {
  readonly id: string;
  readonly note: string | null;
  readonly fill: string | null;
  readonly bodyHash: Uint8Array | null;
  readonly closedN: number | null;
  readonly closedHash: string;
  readonly closedText: string;
}

const signalOf = ({ id, note, fill, n, hash, text, closedN, closedHash, closedText }: SignalRow): StoredSignal => ({
  id,
  published: { n, hash, text },
  closed: closedN === null ? null : { n: closedN, hash: closedHash, text: closedText },
  note,
  fill,
});

/** Values of the column `active`. */
const STATES = { active: [1], closed: [0], all: [1, 0] } as const;

export function createSignalStore(database: Database): SignalStore {
  const guarded = async <T>(work: () => T): Promise<T> => explained(database.filename, work);
  const signals = (where: string, ...values: SQLQueryBindings[]): SignalRow[] =>
    database.query<SignalRow, SQLQueryBindings[]>(`${SIGNAL} WHERE ${where}`).all(...values);
  const tail = (): StoredRecord | null =>
    database.query<StoredRecord, []>('SELECT n, hash, text FROM signal_log ORDER BY n DESC LIMIT 1').get();

  return {
    write: (write) => guarded(() => database.transaction(() => store(database, write, tail()?.n ?? -1)).immediate()),
    tail: () => guarded(() => tail() ?? undefined),
    judgedUntil: () =>
      guarded(() => {
        const number = database.query<{ value: number }, []>("SELECT value FROM numbers WHERE name = 'judged_until'");
        return number.get()?.value ?? 0;
      }),
    log: (after, limit) =>
      guarded(() =>
        database
          .query<StoredRecord, [number, number]>('SELECT n, hash, text FROM signal_log WHERE n > ? ORDER BY n LIMIT ?')
          .all(after, limit),
      ),
    announced: (after, limit) => guarded(() => announcedAfter(database, after, limit)),
    lastAnnounced: (symbols, until) => guarded(() => lastAnnounced(database, symbols, until)),
    active: () => guarded(() => signals('s.active = 1 ORDER BY s.published_n').map(signalOf)),
    signal: (id) => guarded(() => signals('s.id = ?', id).map(signalOf)[0]),
    list: ({ status, symbol, publisher, beforeN = Number.MAX_SAFE_INTEGER, limit }) =>
      guarded(() => {
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
          .map(signalOf);
      }),
    byIdempotencyKey: (publisher, key, since) =>
      guarded(() => {
        const where = 's.publisher = ? AND s.idem_key = ? AND s.published_at >= ? ORDER BY s.published_n DESC LIMIT 1';
        const [row] = signals(where, publisher, key, since);
        return row && { signal: signalOf(row), bodyHash: row.bodyHash! };
      }),
    outcomes: () =>
      guarded(() =>
        database
          .query<Omit<Outcome, 'ranked'> & { ranked: number | null }, []>(
            `SELECT id, published_n AS publishedN, publisher, symbol, published_at AS publishedAt, filled_at AS filledAt,
               closed_n AS closedN, closed_at AS closedAt,
               reason, pnl_r AS pnlR, ranked FROM signals ORDER BY published_n`,
          )
          .all()
          // Changed in place: a start reads a hundred thousand.
          .map((row) => Object.assign(row, { ranked: row.ranked !== 0 })),
      ),
    notes: () =>
      guarded(() =>
        database.query<{ id: string; note: string }, []>('SELECT id, note FROM signals WHERE note IS NOT NULL').all(),
      ),
    gaps: () =>
      guarded(() =>
        database.query<GapRow, []>('SELECT symbol, seq, "from", "to" FROM signal_gaps ORDER BY seq, symbol').all(),
      ),
    forgetGaps: (seq) =>
      guarded(() => {
        database.query('DELETE FROM signal_gaps WHERE seq <= ?').run(seq);
      }),
    unsealed: (until) => guarded(() => unsealedDays(database, until)),
    seals: (symbol, first, last) =>
      guarded(() =>
        database
          .query<StoredRecord, [string, string, string]>(
            `SELECT n, hash, text FROM signal_days JOIN signal_log ON n = sealed
             WHERE sealed > 0 AND symbol = ? AND day >= ? AND day <= ? ORDER BY day`,
          )
          .all(symbol, first, last),
      ),
  };
}

/** Within a transaction: whatever is thrown undoes all of it. `last` is the number of the last record stored. */
function store(database: Database, write: SignalWrite, last: number): void {
  const append = database.query('INSERT INTO signal_log (n, hash, text) VALUES (?, ?, ?)');
  for (const [index, { n, hash, text }] of write.records.entries()) {
    const due = last + 1 + index;
    if (n !== due) throw new StaleLogError(`record ${n} does not follow: the next one of the signal log is ${due}`);
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
    noteDays(database, closed.symbol, closed.quoteAt, decidedAt);
  }
  const gap = database.query('INSERT OR REPLACE INTO signal_gaps (seq, symbol, "from", "to") VALUES (?, ?, ?, ?)');
  for (const { seq, symbol, from, to } of write.gaps) gap.run(seq, symbol, from, to);
  for (const sealed of write.sealed) sealDay(database, sealed);
  database
    .query(
      `INSERT INTO numbers (name, value) VALUES ('judged_until', ?)
       ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`,
    )
    .run(write.judgedUntil);
}
