// A log as a service wrote it in its simulated markets, with every way a signal can end, and the same as the page gets it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEntry, LogHead, SignalDetail, SignalProof } from '@tickwire/client';
import { recordHash } from './canonical.ts';
import type { ReadLog } from './check-log.ts';

export interface RealLog {
  readonly log: LogEntry[];
  readonly head: LogHead;
  readonly signals: SignalDetail[];
}

const text = readFileSync(join(import.meta.dir, 'real-log.fixture.json'), 'utf8');

/** A copy of its own for each test, which may change it. */
export const realLog = (): RealLog => JSON.parse(text) as RealLog;

/** As the service answers. */
export function proofOf({ log, head }: RealLog, signal: SignalDetail): SignalProof {
  const published = log[signal.published_n]!;
  const closed = signal.closed_n === null ? null : log[signal.closed_n]!;
  return { published, closed, seals: [], head, note: signal.note };
}

export const readerOf =
  ({ log }: RealLog): ReadLog =>
  async (after, limit) => {
    const items = log.filter(({ record }) => record.n > after).slice(0, limit);
    return { items, count: items.length, next: null };
  };

/** Changes a record and gives it the hash that fits: what a forger would do who has the file. */
export async function forge({ log }: RealLog, n: number, changes: object): Promise<void> {
  const entry = log[n]!;
  const record = { ...entry.record, ...changes } as LogEntry['record'];
  log[n] = { record, hash: await recordHash(record, crypto.subtle) };
}
