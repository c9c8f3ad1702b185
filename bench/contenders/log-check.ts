// Checks a log as `tickwire verify` does on the files of this machine: with all that stands beside the log, with the tape or
// without. Or only reads and hashes it, as the least there is to it.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { localLog } from '../../packages/server/src/signals/verify/log-source.ts';
import { verifyLog } from '../../packages/server/src/signals/verify/verify.ts';
import { openSqliteStore } from '../../packages/server/src/store/sqlite/open.ts';
import type { Store } from '../../packages/server/src/store/store.ts';

export const CHECKS = ['hash', 'log', 'tape'] as const;
export type Check = (typeof CHECKS)[number];

export interface Checked {
  readonly records: number;
  readonly closed: number;
  /** Read again from the tape, and the lives they confirm. */
  readonly ticks: number;
  readonly confirmed: number;
}

async function hash({ signals }: Store): Promise<Checked> {
  let records = 0;
  for await (const page of (await localLog(signals)).pages()) {
    for (const { hash: sha256, text } of page)
      if (createHash('sha256').update(text).digest('hex') === sha256) records++;
  }
  return { records, closed: 0, ticks: 0, confirmed: 0 };
}

async function check({ signals, market }: Store, folder: string, withTape: boolean): Promise<Checked> {
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

/** The folder is that of the data, with the realm in it. */
export async function runCheck(folder: string, what: Check): Promise<Checked> {
  const store = openSqliteStore({ folder, realm: 'sim', exclusive: false });
  try {
    return what === 'hash' ? await hash(store) : await check(store, join(folder, 'sim'), what === 'tape');
  } finally {
    await store.close();
  }
}
