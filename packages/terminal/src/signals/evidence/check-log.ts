// Checks the log around a signal: loads every record from the one before its publication, hashes it and compares it with the
// `prev` of the next, up to the signed head if that is not too far.
import type { LogHead, LogPage, SignalProof } from '@tickwire/client';
import { recordHash } from './canonical.ts';
import type { CheckOutcome, CheckResult } from './check-result.ts';
import { isSigned, NO_ED25519, supportsEd25519 } from './signatures.ts';

/** Records per request. */
const PAGE = 1_000;
/** More is left to `tickwire verify`. */
const MOST = 10_000;
const NO_HASH = '0'.repeat(64);

export type ReadLog = (after: number, limit: number) => Promise<LogPage>;

/** `onProgress` gets the number of checked records and of all records. */
export async function checkChain(
  proof: SignalProof,
  readLog: ReadLog,
  subtle: SubtleCrypto,
  onProgress: (done: number, all: number) => void = () => undefined,
): Promise<CheckResult> {
  const result = (outcome: CheckOutcome, text: string): CheckResult => ({ title: 'Hash chain', outcome, text });
  const { published, records, head } = proof;
  const first = Math.max(0, published.record.n - 1);
  const last = Math.min(head.n, first + MOST - 1);
  const wanted = new Map(records.map(({ hash, record }) => [record.n, hash]));
  const newest = Math.max(...wanted.keys());
  if (newest > head.n)
    return result('failed', `The log ends at record ${head.n}, before record ${newest} of the signal.`);
  let previous: string | null = first === 0 ? NO_HASH : null;
  let at: string | null = null;
  for (let n = first; n <= last; ) {
    onProgress(n - first, last - first + 1);
    const { items } = await readLog(n - 1, Math.min(PAGE, last - n + 1));
    if (items.length === 0) return result('failed', `The log ends before record ${n}, although its head is ${head.n}.`);
    for (const { hash, record } of items) {
      if (record.n !== n)
        return result('failed', `Record ${record.n} is where record ${n} should be: a record was removed or inserted.`);
      if ((await recordHash(record, subtle)) !== hash)
        return result('failed', `Record ${n} was changed: it no longer matches its hash.`);
      if (previous !== null && record.prev !== previous)
        return result('failed', `Record ${n} does not follow the record before it: the chain is broken.`);
      if (at !== null && record.at < at) return result('failed', `Record ${n} is older than the record before it.`);
      at = record.at;
      if ((wanted.get(n) ?? hash) !== hash || (n === head.n && head.hash !== hash))
        return result('failed', `Record ${n} of the log differs from this proof.`);
      previous = hash;
      n++;
    }
  }
  const linked = `${last - first + 1} records, from ${first} to ${last}, are linked by their hashes`;
  if (last === head.n) return result('passed', `${linked}, up to the head of the log.`);
  const rest = `The head is record ${head.n}; “tickwire verify” checks the ${head.n - last} between.`;
  if (newest <= last) return result('passed', `${linked}. All records of the signal are among them. ${rest}`);
  return result('unavailable', `${linked}. Record ${newest} of the signal comes later. ${rest}`);
}

/** The head must be signed with the key in the first record of the log. */
export async function checkHead(head: LogHead, readLog: ReadLog, subtle: SubtleCrypto): Promise<CheckResult> {
  const result = (outcome: CheckOutcome, text: string): CheckResult => ({
    title: 'Signature of the head',
    outcome,
    text,
  });
  const { log, n, hash, at } = head;
  const [opening] = (await readLog(-1, 1)).items;
  if (opening?.record.type !== 'opened') return result('failed', 'The log has no opening record.');
  if (opening.record.log !== log || opening.record.public_key !== head.public_key)
    return result('failed', 'The head is not signed with the key of the log.');
  if (!(await supportsEd25519(subtle))) return result('unavailable', NO_ED25519);
  const valid = await isSigned({ log, n, hash, at }, head.public_key, head.signature, subtle);
  return valid
    ? result('passed', `Head ${n} is signed (Ed25519) with the key of the log.`)
    : result('failed', `The signature of head ${n} is not valid.`);
}
