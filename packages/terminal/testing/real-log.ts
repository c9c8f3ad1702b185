// A log that a service wrote in simulated markets, with every way a signal can end, and the responses that a page gets.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEntry, LogHead, SignalDetail, SignalProof } from '@tickwire/client';
import { recordHash } from '../src/signals/evidence/canonical.ts';
import type { ReadLog } from '../src/signals/evidence/check-log.ts';

export interface RealLog {
  readonly log: LogEntry[];
  readonly head: LogHead;
  readonly signals: SignalDetail[];
}

const text = readFileSync(join(import.meta.dir, 'real-log.json'), 'utf8');

/** A copy for each test, which may change it. It was written under version 1 of the rules, when no signal could be voided. */
export function realLog(): RealLog {
  const { signals, ...log } = JSON.parse(text) as RealLog;
  return { ...log, signals: signals.map((signal) => ({ ...signal, voided_reason: null })) };
}

/** As in a response of the service. */
export function proofOf({ log, head }: RealLog, signal: SignalDetail): SignalProof {
  const published = log[signal.published_n]!;
  const closed = signal.closed_n === null ? null : log[signal.closed_n]!;
  const records = [published, ...(closed ? [closed] : [])];
  return { published, closed, seals: [], head, note: signal.note, records };
}

export const readerOf =
  ({ log }: RealLog): ReadLog =>
  async (after, limit) => {
    const items = log.filter(({ record }) => record.n > after).slice(0, limit);
    return { items, count: items.length, next: null };
  };

/** Changes a record and recomputes its hash, as a forger with access to the file could. */
export async function forge({ log }: RealLog, n: number, changes: object): Promise<void> {
  const entry = log[n]!;
  const record = { ...entry.record, ...changes } as LogEntry['record'];
  log[n] = { record, hash: await recordHash(record, crypto.subtle) };
}
