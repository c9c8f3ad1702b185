// The signal log and its signals, in the schema of one realm.
import type { GapRow, SignalStore, SignalWrite, StoredRecord } from '../signal-store.ts';
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
import { LONG_MS, type PostgresDatabase } from './database.ts';
import { CommitUnknownError, isLost } from './errors.ts';
import { unsealedDays } from './signal-days.ts';
import { eventsAfter, lastEventNumbers } from './signal-events.ts';
import { lockLog, TAIL, writeSignals } from './signal-write.ts';

/** How long, and how often, the outcome of a commit in doubt is queried. */
const DOUBT_MS = 60_000;
const DOUBT_STEP_MS = 250;

const RECORDS = `SELECT s.id, l.n, l.hash, l.text FROM signals s
  JOIN signal_records r ON r.published_n = s.published_n JOIN signal_log l ON l.n = r.n WHERE s.id = ANY ($1) ORDER BY l.n`;

/** Values of the column `active`. */
const STATES = { active: [true], closed: [false], all: [true, false] } as const;

export function createSignalStore(database: PostgresDatabase, realm: string): SignalStore {
  const signals = (where: string, values: readonly unknown[] = []): Promise<StoredSignalRow[]> =>
    database.rows<StoredSignalRow>(`${SELECT_SIGNAL} WHERE ${where}`, values, LONG_MS);

  /** Whether a write with an unanswered commit was stored after all. Throws `doubt` if that cannot be found out. */
  const wasWritten = async (last: StoredRecord, doubt: CommitUnknownError): Promise<boolean> => {
    const deadline = Date.now() + DOUBT_MS;
    for (;;) {
      try {
        return await database.transaction(async (session) => {
          // The server holds the lock while the transaction in doubt is open; once this one gets the lock, the outcome
          // is final.
          await lockLog(session, realm);
          const [found] = await session.rows<{ hash: string }>('SELECT hash FROM signal_log WHERE n = $1', [last.n]);
          return found?.hash === last.hash;
        });
      } catch (error) {
        const wait = isLost(error) || /55P03/.test((error as Error).message);
        if (!wait || Date.now() >= deadline) throw doubt;
        await Bun.sleep(DOUBT_STEP_MS);
      }
    }
  };

  const write = async (write: SignalWrite): Promise<void> => {
    try {
      await database.write(async (session) => {
        await lockLog(session, realm);
        await writeSignals(session, write);
      });
    } catch (error) {
      const last = write.records.at(-1);
      // After a failure the caller assigns this record number again, so a failure must be certain.
      if (!(error instanceof CommitUnknownError) || !last || !(await wasWritten(last, error))) throw error;
    }
  };

  return {
    write,
    async tail() {
      const [tail] = await database.rows<StoredRecord>(TAIL);
      return tail;
    },
    async judgedUntil() {
      const [row] = await database.rows<{ value: number }>("SELECT value FROM numbers WHERE name = 'judged_until'");
      return row?.value ?? 0;
    },
    log: (after, limit) =>
      database.rows('SELECT n, hash, text FROM signal_log WHERE n > $1 ORDER BY n LIMIT $2', [after, limit], LONG_MS),
    async records(ids) {
      return bySignal(await database.rows<RecordOfSignal>(RECORDS, [ids], LONG_MS));
    },
    events: (after, limit) => eventsAfter(database, after, limit),
    lastEventNumbers: (symbols, until) => lastEventNumbers(database, symbols, until),
    async active() {
      return (await signals('s.active ORDER BY s.published_n')).map(toStoredSignal);
    },
    async signal(id) {
      return (await signals('s.id = $1', [id])).map(toStoredSignal)[0];
    },
    async list({ status, symbol, publisher, beforeN = Number.MAX_SAFE_INTEGER, limit }) {
      const conditions = ['s.published_n < $2'];
      const values: unknown[] = [beforeN];
      for (const [column, value] of Object.entries({ publisher, symbol })) {
        if (value === undefined) continue;
        values.push(value);
        conditions.push(`s.${column} = $${values.length + 1}`);
      }
      const where = `s.active = $1 AND ${conditions.join(' AND ')} ORDER BY s.published_n DESC LIMIT $${values.length + 2}`;
      const found = await Promise.all(STATES[status].map((active) => signals(where, [active, ...values, limit])));
      return found
        .flat()
        .sort((a, b) => b.n - a.n)
        .slice(0, limit)
        .map(toStoredSignal);
    },
    async byIdempotencyKey(publisher, key, since) {
      const where = 's.publisher = $1 AND s.idem_key = $2 AND s.published_at >= $3 ORDER BY s.published_n DESC LIMIT 1';
      const [row] = await signals(where, [publisher, key, since]);
      return row && { signal: toStoredSignal(row), bodyHash: row.bodyHash! };
    },
    async outcomes() {
      return (await database.rows<OutcomeRow>(SELECT_OUTCOMES, [], LONG_MS)).map(toStoredOutcome);
    },
    async publishedSince(time) {
      const rows = await database.rows<PublisherCount>(publishedSince('$1', '$2'), [time - CLOCK_SKEW_MS, time]);
      return new Map(rows.map(({ publisher, count }) => [publisher, count]));
    },
    async voids() {
      const [row] = await database.rows<{ count: number }>('SELECT count(voided_n) AS count FROM signals', [], LONG_MS);
      return Number(row!.count);
    },
    signingKeys: () =>
      database.rows(
        'SELECT publisher, public_key AS "publicKey", n, signed_at AS "signedAt" FROM signal_keys ORDER BY n',
      ),
    notes: () => database.rows('SELECT id, note FROM signals WHERE note IS NOT NULL', [], LONG_MS),
    gaps: () => database.rows<GapRow>('SELECT symbol, seq, "from", "to" FROM signal_gaps ORDER BY seq, symbol'),
    async forgetGaps(seq) {
      await database.write((session) => session.run('DELETE FROM signal_gaps WHERE seq <= $1', [seq]));
    },
    unsealed: (until) => unsealedDays(database, until),
    seals: (symbol, first, last) =>
      database.rows(
        `SELECT n, hash, text FROM signal_days JOIN signal_log ON n = sealed
         WHERE sealed > 0 AND symbol = $1 AND day >= $2 AND day <= $3 ORDER BY day`,
        [symbol, first, last],
      ),
  };
}
