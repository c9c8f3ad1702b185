// Transactions that append to the signal log. Those of all processes take turns by a transaction lock, and a commit whose
// response was lost is looked up: after a failure the caller assigns its record numbers again, so a failure must be certain.

import type { StoredRecord } from '../signal-store.ts';
import type { AppendTransaction } from '../sql/signal-store.ts';
import type { PostgresDatabase, SqlSession } from './database.ts';
import { CommitUnknownError, isLost } from './errors.ts';
import { runWork } from './run-work.ts';

/** How long, and how often, the outcome of a commit in doubt is queried. */
const DOUBT_MS = 60_000;
const DOUBT_STEP_MS = 250;

export function appendTransaction(database: PostgresDatabase, realm: string): AppendTransaction {
  /** Held to the end of the transaction: no other append runs meanwhile, not even one whose response was lost. */
  const lockLog = (session: SqlSession): Promise<unknown> =>
    session.rows('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', ['tickwire signal log', realm]);

  /** Whether a write with an unanswered commit was stored after all. Throws `doubt` if that cannot be found out. */
  const wasWritten = async (last: StoredRecord, doubt: CommitUnknownError): Promise<boolean> => {
    const deadline = Date.now() + DOUBT_MS;
    for (;;) {
      try {
        return await database.transaction(async (session) => {
          // The server holds the lock while the transaction in doubt is open; once this one gets the lock, the outcome
          // is final.
          await lockLog(session);
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

  return async (work, last) => {
    try {
      await database.write(async (session) => {
        await lockLog(session);
        await runWork(session, work());
      });
    } catch (error) {
      if (!(error instanceof CommitUnknownError) || !last || !(await wasWritten(last, error))) throw error;
    }
  };
}
