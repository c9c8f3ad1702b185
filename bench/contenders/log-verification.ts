// Verifies a signal log as `tickwire verify` does on local files: all files beside the log, with or without the tape. As a lower
// bound, it can also just read and hash the log.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { localLog } from '../../packages/server/src/signals/verify/log-source.ts';
import { verifyLog } from '../../packages/server/src/signals/verify/verify.ts';
import { openSqliteStore } from '../../packages/server/src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../packages/server/src/store/store.ts';

export const CHECKS = ['hash', 'log', 'tape'] as const;
export type LogCheck = (typeof CHECKS)[number];

export interface LogCheckResult {
  readonly records: number;
  readonly closed: number;
  /** Ticks read from the tape, and the signals they confirm. */
  readonly ticks: number;
  readonly confirmed: number;
}

async function hash({ signals }: Store): Promise<LogCheckResult> {
  let records = 0;
  for await (const page of (await localLog(signals)).pages()) {
    for (const { hash: sha256, text } of page)
      if (createHash('sha256').update(text).digest('hex') === sha256) records++;
  }
  return { records, closed: 0, ticks: 0, confirmed: 0 };
}

async function check({ signals, market }: Store, folder: string, withTape: boolean): Promise<LogCheckResult> {
  const verified = await verifyLog({
    source: await localLog(signals),
    heads: [],
    store: signals,
    tape: withTape ? { folder, read: (symbol, from, to) => market.tapeOf(symbol, from, to) } : null,
    now: Date.now(),
  });
  const { log, findings, tape } = verified;
  if (findings.count > 0) throw new Error(`${findings.count} faults, the first: ${findings.first[0]?.message}`);
  if (log.recomputed !== log.closed) throw new Error(`${log.recomputed} of ${log.closed} closings were recomputed`);
  return { records: log.records, closed: log.closed, ticks: tape?.ticks ?? 0, confirmed: tape?.confirmed ?? 0 };
}

/** `folder` is the data folder, which contains the realm. */
export async function runLogCheck(folder: string, what: LogCheck): Promise<LogCheckResult> {
  const store = openSqliteStore({ folder, realm: 'sim', exclusive: false });
  try {
    return what === 'hash' ? await hash(store) : await check(store, join(folder, 'sim'), what === 'tape');
  } finally {
    await store.close();
  }
}
