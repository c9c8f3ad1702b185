// Heads of the log that this browser has seen, at most one a day. A saved head shows later that the log before it was not
// rewritten.
import type { LogHead } from '@tickwire/client';
import { type RecordStorage, readRecord, storeRecord } from '../../ui/stored-record.ts';
import type { ReadLog } from './check-log.ts';
import type { CheckOutcome, CheckResult } from './check-result.ts';

const NAME = 'tickwire.heads';
const MOST = 30;

export type SavedHead = Pick<LogHead, 'log' | 'n' | 'hash' | 'at'>;

export function savedHeads(storage: RecordStorage): readonly SavedHead[] {
  const stored: unknown = readRecord(storage, NAME);
  return Array.isArray(stored) ? (stored as SavedHead[]) : [];
}

/** Keeps the first head of each day: the oldest one and the newest ones. */
export function saveHead(storage: RecordStorage, { log, n, hash, at }: LogHead): void {
  const saved = savedHeads(storage);
  if (saved.some((head) => head.log === log && head.at.slice(0, 10) === at.slice(0, 10))) return;
  const [oldest, ...rest] = [...saved, { log, n, hash, at }];
  storeRecord(storage, NAME, [oldest, ...rest.slice(-(MOST - 1))]);
}

export const forgetHeads = (storage: Pick<Storage, 'removeItem'>): void => storage.removeItem(NAME);

/** Looks for the oldest and the newest saved head in the log. `hashOf`: the hash of a record. */
export async function checkSavedHeads(
  head: LogHead,
  storage: RecordStorage,
  readLog: ReadLog,
  hashOf: (record: object) => Promise<string>,
): Promise<CheckResult> {
  const title = 'Heads saved in this browser';
  const result = (outcome: CheckOutcome, text: string): CheckResult => ({ title, outcome, text });
  const saved = savedHeads(storage);
  const own = saved.filter(({ log }) => log === head.log);
  const [oldest, newest] = [own[0], own.at(-1)];
  if (!oldest || !newest)
    return saved.length > 0
      ? result('failed', 'This browser has seen another log of this service. The log was replaced since.')
      : result('unavailable', 'None yet. This browser saves one now, for later checks.');
  for (const { n, hash, at } of new Set([oldest, newest])) {
    const [entry] = n <= head.n ? (await readLog(n - 1, 1)).items : [];
    if (entry?.record.n === n && (await hashOf(entry.record)) === hash) continue;
    return result('failed', `The log was rewritten: it no longer contains record ${n} as seen on ${at.slice(0, 10)}.`);
  }
  return result('passed', `The log still contains record ${oldest.n} as seen on ${oldest.at.slice(0, 10)}.`);
}
