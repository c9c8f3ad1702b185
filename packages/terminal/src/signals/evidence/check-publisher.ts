// Checks whether the publisher signed its requests about a signal, with the key that the log has for it.
import type { LogEntry, LogRecord, SignalProof } from '@tickwire/client';
import { recordHash } from './canonical.ts';
import type { ReadLog } from './check-log.ts';
import { type CheckResult, runCheck } from './check-result.ts';
import { checkSignatures, isRequest, NO_ED25519, type RequestRecord, supportsEd25519 } from './signatures.ts';

/** Records per request. */
const PAGE = 1_000;
/** Records in which the registration of a key is searched, back from the last request. More is left to `tickwire verify`. */
const MOST = 5_000;

type KeyChange = Extract<LogRecord, { readonly type: 'publisher_key' }>;

interface KeySearch {
  /** Latest first. */
  readonly changes: readonly KeyChange[];
  /** `partial`: the records that were read do not tell which key was registered at the publication. */
  readonly outcome: 'complete' | 'partial' | 'broken';
}

export async function checkPublisher(
  { records, published }: SignalProof,
  readLog: ReadLog,
  subtle: SubtleCrypto,
): Promise<CheckResult> {
  const title = 'Signatures of the publisher';
  const requests = records.map(({ record }) => record).filter(isRequest);
  const signed = requests.filter((record) => record.signed).length;
  if (signed > 0 && !(await supportsEd25519(subtle))) return { title, outcome: 'unavailable', text: NO_ED25519 };
  const { changes, outcome } = await searchKey(requests, published.record.n, readLog, subtle);
  const result = await runCheck(title, async (faults) => {
    const { keys } = await checkSignatures(requests, subtle, faults);
    if (outcome === 'broken') faults.push('The records before it do not follow each other, so its key is not known');
    if (outcome === 'complete') faults.push(...keyFaults(requests, changes));
    if (signed === 0) return outcome === 'complete' ? NO_KEY : `It is not signed. ${TOO_FAR}`;
    const valid = `${signed} ${signed === 1 ? 'request is' : 'requests are'} signed with the key ${keys.join(' and ')}`;
    if (outcome === 'partial') return `${valid}. ${TOO_FAR}`;
    return `${valid}, which the log has for the publisher since record ${changes.at(-1)?.n}.`;
  });
  return result.outcome === 'passed' && outcome === 'partial' ? { ...result, outcome: 'unavailable' } : result;
}

const NO_KEY = 'The publisher had no signing key, so nothing is signed: only the service says that it published this.';
const TOO_FAR = `Which key it had registered is not in the ${MOST} records before; “tickwire verify” checks that.`;

function keyFaults(requests: readonly RequestRecord[], changes: readonly KeyChange[]): string[] {
  return requests.flatMap(({ n, signed }) => {
    const registered = changes.find((change) => change.n < n)?.public_key ?? null;
    if ((signed?.public_key ?? null) === registered) return [];
    return signed
      ? `Record ${n} is signed with a key that was not registered`
      : `Record ${n} is not signed, although the publisher had a signing key`;
  });
}

/** Follows the log by its hashes, back from the last request to the change of the key before the publication. */
async function searchKey(
  requests: readonly RequestRecord[],
  publishedN: number,
  readLog: ReadLog,
  subtle: SubtleCrypto,
): Promise<KeySearch> {
  const changes: KeyChange[] = [];
  const last = requests.at(-1);
  if (!last) return { changes, outcome: 'broken' };
  const { publisher } = last;
  const end = Math.max(0, last.n - MOST);
  for (let next: LogEntry['record'] = last; next.n > end; ) {
    const start = Math.max(end, next.n - PAGE);
    const { items } = await readLog(start - 1, next.n - start);
    if (items.length === 0) return { changes, outcome: 'broken' };
    for (const { hash, record } of items.toReversed()) {
      const isBefore = record.n === next.n - 1 && hash === next.prev;
      if (!isBefore || (await recordHash(record, subtle)) !== hash) return { changes, outcome: 'broken' };
      next = record;
      if (record.type !== 'publisher_key' || record.publisher !== publisher) continue;
      changes.push(record);
      if (record.n < publishedN) return { changes, outcome: 'complete' };
    }
  }
  return { changes, outcome: end === 0 ? 'complete' : 'partial' };
}
