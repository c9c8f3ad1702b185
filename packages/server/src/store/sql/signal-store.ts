// SignalStore in SQL that both SQLite and PostgreSQL understand.
import { HOUR_MS } from '@tickwire/engine';
import {
  type GapRow,
  type LastEventNumbers,
  SIGNAL_STREAMS,
  type SignalListQuery,
  type SignalStore,
  type SignalStream,
  type StoredRecord,
  type StoredSignal,
  type StoredSigningKey,
} from '../signal-store.ts';
import { long, rows, rowsFor, run, type SharedWork, type SqlValue, type WorkRunner } from './shared-work.ts';
import { unsealedDays } from './signal-days.ts';
import {
  bySignal,
  type KeptSignalRow,
  type RecordOfSignal,
  SELECT_EVENTS,
  SELECT_ROWS,
  SELECT_SIGNAL,
  type SignalEventRow,
  type StoredSignalRow,
  toSignalRow,
  toStoredEvent,
  toStoredSignal,
} from './signal-rows.ts';
import { readTail, writeSignals } from './signal-write.ts';

/** Values of the column `active`. */
const STATES = { active: [1], closed: [0], all: [1, 0] } as const;
/** More than the clocks of two nodes can differ. */
const CLOCK_SKEW_MS = HOUR_MS;

/** Runs a transaction that appends records, the last of which is `last`. If it rejects, nothing of it is stored. */
export type AppendTransaction = (work: () => SharedWork<void>, last: StoredRecord | undefined) => Promise<void>;

export function createSignalStore(
  { read, snapshot, write }: WorkRunner,
  append: AppendTransaction = (work) => write(work),
): SignalStore {
  return {
    write: (changes) => append(() => writeSignals(changes), changes.records.at(-1)),
    tail: () => read(readTail),
    judgedUntil: () =>
      read(function* () {
        const [row] = yield* rows<{ value: number }>("SELECT value FROM numbers WHERE name = 'judged_until'");
        return row?.value ?? 0;
      }),
    log: (after, limit) =>
      read(() =>
        long(rows<StoredRecord>('SELECT n, hash, text FROM signal_log WHERE n > $1 ORDER BY n LIMIT $2', after, limit)),
      ),
    records: (ids) =>
      read(function* () {
        const found = yield* long(
          rowsFor<RecordOfSignal, 'wanted'>(
            `SELECT s.id, l.n, l.hash, l.text FROM signals s JOIN signal_records about ON about.published_n = s.published_n
               JOIN signal_log l ON l.n = about.n, {records} WHERE s.id = r.wanted ORDER BY l.n`,
            { wanted: 'text' },
            [...new Set(ids)].map((wanted) => ({ wanted })),
          ),
        );
        return bySignal(found);
      }),
    events: (after, limit) =>
      read(function* () {
        return (yield* rows<SignalEventRow>(SELECT_EVENTS, after, limit)).map(toStoredEvent);
      }),
    lastEventNumbers: (symbols, until) => read(() => lastEventNumbers(symbols, until)),
    active: () => read(active),
    snapshot: (limit) =>
      snapshot(function* () {
        const tail = yield* readTail();
        const open = yield* active();
        const closed = yield* list({ status: 'closed', limit });
        return { n: tail?.n ?? -1, active: open, newest: newestOf([...open.slice(-limit), ...closed], limit) };
      }),
    signal: (id) =>
      read(function* () {
        return (yield* signals('s.id = $1', id)).map(toStoredSignal)[0];
      }),
    list: (query) => read(() => list(query)),
    byIdempotencyKey: (publisher, key, since) =>
      read(function* () {
        const where =
          's.publisher = $1 AND s.idem_key = $2 AND s.published_at >= $3 ORDER BY s.published_n DESC LIMIT 1';
        const [row] = yield* signals(where, publisher, key, since);
        return row && { signal: toStoredSignal(row), bodyHash: row.bodyHash! };
      }),
    rows: () =>
      read(function* () {
        return (yield* long(rows<KeptSignalRow>(SELECT_ROWS))).map(toSignalRow);
      }),
    publishedSince: (time) =>
      read(function* () {
        // Records are numbered in the order they were written, so only the newest ones are read. Times of neighbouring records
        // may be out of order by the difference between the clocks of two nodes.
        const found = yield* rows<{ publisher: string; count: number }>(
          `SELECT publisher, count(*) AS count FROM signals
           WHERE published_n > coalesce(
             (SELECT published_n FROM signals WHERE published_at < $1 ORDER BY published_n DESC LIMIT 1), -1)
           AND published_at >= $2 GROUP BY publisher`,
          time - CLOCK_SKEW_MS,
          time,
        );
        return new Map(found.map(({ publisher, count }) => [publisher, count]));
      }),
    voids: () =>
      read(function* () {
        const [row] = yield* long(rows<{ count: number }>('SELECT count(voided_n) AS count FROM signals'));
        return row!.count;
      }),
    signingKeys: () =>
      read(() =>
        rows<StoredSigningKey>(
          'SELECT publisher, public_key AS "publicKey", n, signed_at AS "signedAt" FROM signal_keys ORDER BY n',
        ),
      ),
    notes: () =>
      read(() => long(rows<{ id: string; note: string }>('SELECT id, note FROM signals WHERE note IS NOT NULL'))),
    gaps: () =>
      read(() => rows<GapRow>('SELECT symbol, seq, "from", "to" FROM signal_gaps ORDER BY seq, symbol, "from"')),
    forgetGaps: (seq) => write(() => run('DELETE FROM signal_gaps WHERE seq <= $1', seq)),
    unsealed: (until) => snapshot(() => unsealedDays(until)),
    seals: (symbol, first, last) =>
      read(() =>
        rows<StoredRecord>(
          `SELECT n, hash, text FROM signal_days JOIN signal_log ON n = sealed
           WHERE sealed > 0 AND symbol = $1 AND day >= $2 AND day <= $3 ORDER BY day`,
          symbol,
          first,
          last,
        ),
      ),
  };
}

const signals = (where: string, ...values: readonly SqlValue[]): SharedWork<StoredSignalRow[]> =>
  long(rows<StoredSignalRow>(`${SELECT_SIGNAL} WHERE ${where}`, ...values));

function* active(): SharedWork<StoredSignal[]> {
  return (yield* signals('s.active = 1 ORDER BY s.published_n')).map(toStoredSignal);
}

function* list(query: SignalListQuery): SharedWork<StoredSignal[]> {
  const { status, symbol, publisher, beforeN = Number.MAX_SAFE_INTEGER, limit } = query;
  const values: SqlValue[] = [beforeN, limit];
  let where = 's.published_n < $1';
  if (publisher !== undefined) where += ` AND s.publisher = $${values.push(publisher)}`;
  if (symbol !== undefined) where += ` AND s.symbol = $${values.push(symbol)}`;
  const found: StoredSignalRow[] = [];
  for (const state of STATES[status])
    found.push(...(yield* signals(`s.active = ${state} AND ${where} ORDER BY s.published_n DESC LIMIT $2`, ...values)));
  return newestOf(found.map(toStoredSignal), limit);
}

/** By publication, newest first. */
const newestOf = (signals: readonly StoredSignal[], limit: number): StoredSignal[] =>
  signals.toSorted((a, b) => b.published.n - a.published.n).slice(0, limit);

function* lastEventNumbers(
  symbols: readonly string[],
  until: number,
): SharedWork<ReadonlyMap<string, LastEventNumbers>> {
  const found = yield* rowsFor<{ symbol: string; stream: SignalStream; n: number | null }, 'symbol' | 'stream'>(
    `SELECT r.symbol AS symbol, r.stream AS stream, last.n FROM {each} (SELECT max(n) AS n FROM signal_records
       WHERE symbol = r.symbol AND stream = r.stream AND n <= $1) last`,
    { symbol: 'text', stream: 'text' },
    symbols.flatMap((symbol) => SIGNAL_STREAMS.map((stream) => ({ symbol, stream }))),
    until,
  );
  const last = new Map(symbols.map((symbol) => [symbol, { published: 0, filled: 0, changed: 0, closed: 0 }]));
  for (const { symbol, stream, n } of found) last.get(symbol)![stream] = n ?? 0;
  return last;
}
