// The log around a signal: every record from the one before its publication on is fetched, hashed and held against the `prev`
// of the next, up to the signed head where that is not too far.
import type { LogEntry, LogHead, LogPage, SignalProof } from '@tickwire/client';
import { bytesOf, canonicalText, recordHash } from './canonical.ts';
import type { Step } from './step.ts';

/** A page of the log has so many records. */
const PAGE = 1_000;
/** More than this is for `tickwire verify`: ten requests and a second or two. */
const MOST = 10_000;
const NO_HASH = '0'.repeat(64);

export type ReadLog = (after: number, limit: number) => Promise<LogPage>;

const CHAIN = 'Chain of the log';
const SIGNATURE = 'Signature of the head';
const wrong = (title: string, text: string): Step => ({ title, outcome: 'wrong', text });

/** `onProgress` is told how many of how many records are done. */
export async function checkChain(
  proof: SignalProof,
  readLog: ReadLog,
  subtle: SubtleCrypto,
  onProgress: (done: number, all: number) => void = () => undefined,
): Promise<Step> {
  const { published, closed, head } = proof;
  const first = Math.max(0, published.record.n - 1);
  const last = Math.min(head.n, first + MOST - 1);
  const wanted = new Map([[published.record.n, published.hash]]);
  if (closed) wanted.set(closed.record.n, closed.hash);
  wanted.set(head.n, head.hash);
  let before: string | null = first === 0 ? NO_HASH : null;
  for (let due = first; due <= last; ) {
    onProgress(due - first, last - first + 1);
    const { items } = await readLog(due - 1, Math.min(PAGE, last - due + 1));
    if (items.length === 0) return wrong(CHAIN, `The log ends before record ${due}, though its head is ${head.n}.`);
    for (const entry of items) {
      const fault = await linkFault(entry, due, before, wanted.get(due), subtle);
      if (fault) return wrong(CHAIN, fault);
      before = entry.hash;
      due++;
    }
  }
  const count = `${last - first + 1} records, from ${first} to ${last}, are linked hash by hash`;
  if (last === head.n) return { title: CHAIN, outcome: 'right', text: `${count}, up to the head of the log.` };
  const rest = `The head is record ${head.n}: the ${head.n - last} between are left to “tickwire verify”.`;
  if (closed === null || closed.record.n <= last)
    return { title: CHAIN, outcome: 'right', text: `${count}, over the whole life of this signal. ${rest}` };
  return { title: CHAIN, outcome: 'open', text: `${count}. The closing lies further on. ${rest}` };
}

async function linkFault(
  { hash, record }: LogEntry,
  due: number,
  before: string | null,
  wanted: string | undefined,
  subtle: SubtleCrypto,
): Promise<string | null> {
  if (record.n !== due) return `Record ${record.n} stands where ${due} is due: one was taken out or put in.`;
  if ((await recordHash(record, subtle)) !== hash) return `Record ${due} was changed: its hash does not fit any more.`;
  if (before !== null && record.prev !== before)
    return `Record ${due} does not follow the one before it: the chain is broken.`;
  if (wanted !== undefined && wanted !== hash) return `Record ${due} of the log is not the one of this proof.`;
  return null;
}

/** The head is signed with the key that the first record of the log names. */
export async function checkHead(head: LogHead, readLog: ReadLog, subtle: SubtleCrypto): Promise<Step> {
  const { log, n, hash, at } = head;
  const [opening] = (await readLog(-1, 1)).items;
  if (opening?.record.type !== 'opened') return wrong(SIGNATURE, 'The log has no opening record.');
  if (opening.record.log !== log || opening.record.public_key !== head.public_key)
    return wrong(SIGNATURE, 'The head is signed with another key than the log was opened with.');
  const [key, signature] = [bytesOf(head.public_key), bytesOf(head.signature)];
  if (!key || !signature) return wrong(SIGNATURE, 'Key or signature cannot be read.');
  const told = new TextEncoder().encode(canonicalText({ log, n, hash, at }));
  let valid: boolean;
  try {
    const imported = await subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify']);
    valid = await subtle.verify({ name: 'Ed25519' }, imported, signature, told);
  } catch {
    return { title: SIGNATURE, outcome: 'open', text: 'This browser cannot check Ed25519 signatures.' };
  }
  if (!valid) return wrong(SIGNATURE, `The signature of head ${n} is not that of the log’s key.`);
  return {
    title: SIGNATURE,
    outcome: 'right',
    text: `Head ${n} is signed (Ed25519) with the key that the log was opened with.`,
  };
}
