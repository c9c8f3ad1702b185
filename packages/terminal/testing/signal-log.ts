// A log of random signals that the engine judged, with a signed head, and the responses that a page gets about them.
import {
  createSigningKey,
  type LogEntry,
  type LogHead,
  type LogRecord,
  type SignalDetail,
  type SignalProof,
} from '@tickwire/client';
import { randomLog } from '../../server/testing/signals/random-log.fixture.ts';
import { canonicalText, recordHash, sha256Hex } from '../src/signals/evidence/canonical.ts';
import type { ReadLog } from '../src/signals/evidence/check-log.ts';

const { subtle } = crypto;
export const NOTE = 'Over the high';

export interface SignalLog {
  readonly log: LogEntry[];
  readonly head: LogHead;
}

const written = await write();

/** A copy for each test, which may change it. */
export const signalLog = (): SignalLog => structuredClone(written);

async function write(): Promise<SignalLog> {
  const keys = await createSigningKey();
  const records = randomLog({ seed: 5, events: 600 }).lines.map(({ text }) => JSON.parse(text) as LogRecord);
  Object.assign(records[0]!, { public_key: keys.publicKey });
  // A signature would cover the note.
  const noted = records.find((record) => record.type === 'published' && !record.signed)!;
  Object.assign(noted, { note_sha256: await sha256Hex(NOTE, subtle) });
  const log: LogEntry[] = [];
  for (const record of records) {
    const linked = { ...record, prev: log.at(-1)?.hash ?? '0'.repeat(64) };
    log.push({ record: linked, hash: await recordHash(linked, subtle) });
  }
  const { record, hash } = log.at(-1)!;
  const signed = { log: 'log', n: record.n, hash, at: record.at };
  const signature = await subtle.sign('Ed25519', keys.privateKey, new TextEncoder().encode(canonicalText(signed)));
  const head = { ...signed, public_key: keys.publicKey, signature: Buffer.from(signature).toString('hex') };
  return { log, head };
}

export const idsOf = ({ log }: SignalLog): string[] =>
  log.flatMap(({ record }) => (record.type === 'published' ? record.signal : []));

/** The response of the service about one signal, and the signal as a page shows it. */
export function proofOf(
  { log, head }: SignalLog,
  id: string,
): { readonly proof: SignalProof; readonly shown: SignalDetail } {
  const records = log.filter(({ record }) => 'signal' in record && record.signal === id);
  const published = records[0]!;
  const closed = records.find(({ record }) => record.type === 'closed') ?? null;
  const p = published.record as Extract<LogRecord, { type: 'published' }>;
  const c = closed?.record as Extract<LogRecord, { type: 'closed' }> | undefined;
  const outcome = records.some(({ record }) => record.type === 'voided')
    ? { status: 'closed', close_reason: 'voided', pnl: 0, pnl_r: 0, exit_price: null }
    : c
      ? { status: 'closed', close_reason: c.reason, pnl: c.pnl, pnl_r: c.pnl_r, exit_price: c.exit_price }
      : { status: 'active' };
  const note = p.note_sha256 === undefined ? null : NOTE;
  return {
    proof: { published, closed, seals: [], head, note, records },
    shown: { ...p, id, timestamp: p.at, ...outcome } as unknown as SignalDetail,
  };
}

export const readerOf =
  (log: readonly LogEntry[]): ReadLog =>
  async (after, limit) => {
    const items = log.filter(({ record }) => record.n > after).slice(0, limit);
    return { items, count: items.length, next: null };
  };

/** Changes a record and recomputes its hash, as a forger with access to the file could. */
export async function forge({ log }: SignalLog, n: number, changes: object): Promise<void> {
  const record = { ...log[n]!.record, ...changes } as LogRecord;
  log[n] = { record, hash: await recordHash(record, subtle) };
}
