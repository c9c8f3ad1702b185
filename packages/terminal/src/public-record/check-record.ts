// Checks the log records of a track record: hashes, chain and signatures, and whether the page counts all signals in them. Results
// and figures are not judged here.
import type { LogEntry, PublicSignal, PublisherDetail } from '@tickwire/client';
import { recordHash } from '../signals/evidence/canonical.ts';
import { type CheckResult, runCheck } from '../signals/evidence/check-result.ts';
import { checkSignatures, isRequest, NO_ED25519, supportsEd25519 } from '../signals/evidence/signatures.ts';
import { historyOf } from './history.ts';

/** Faults of one kind that are listed; the others are counted. */
const LISTED = 3;

export interface CheckInput {
  /** As the page shows it. */
  readonly shown: PublisherDetail;
  readonly signals: readonly PublicSignal[];
  /** Whether `signals` are all signals of the publisher, as of `shown`. */
  readonly complete: boolean;
}

/** `onProgress` gets the number of hashed records and of all records. */
export async function checkRecord(
  input: CheckInput,
  subtle: SubtleCrypto,
  onProgress: (done: number, all: number) => void = () => undefined,
): Promise<readonly CheckResult[]> {
  const entries = input.signals.flatMap(({ records }) => records).sort((a, b) => a.record.n - b.record.n);
  return [
    await runCheck('Hashes', (faults) => hashFaults(entries, subtle, faults, onProgress)),
    await runCheck('Hash chain', (faults) => chainFaults(entries, faults)),
    await checkRequests(entries, subtle),
    await checkCounts(input),
  ];
}

async function hashFaults(
  entries: readonly LogEntry[],
  subtle: SubtleCrypto,
  faults: string[],
  onProgress: (done: number, all: number) => void,
): Promise<string> {
  const changed: string[] = [];
  for (const [index, { hash, record }] of entries.entries()) {
    if (index % 100 === 0) onProgress(index, entries.length);
    if ((await recordHash(record, subtle)) !== hash) changed.push(`Record ${record.n} does not match its hash`);
  }
  faults.push(...listed(changed));
  return `${entries.length} log records match the SHA-256 listed for them.`;
}

/** Only neighbours can be compared: records of other publishers lie between the others. */
function chainFaults(entries: readonly LogEntry[], faults: string[]): string {
  let linked = 0;
  const broken: string[] = [];
  for (const [index, { record }] of entries.entries()) {
    const before = entries[index - 1];
    if (!before) continue;
    if (record.n === before.record.n) broken.push(`Record ${record.n} is listed twice`);
    if (record.at < before.record.at) broken.push(`Record ${record.n} is older than the record before it`);
    if (record.n !== before.record.n + 1) continue;
    linked++;
    if (record.prev !== before.hash) broken.push(`Record ${record.n} does not follow record ${before.record.n}`);
  }
  faults.push(...listed(broken));
  return `${linked} records directly follow another one here and contain its hash. Times never go back.`;
}

/** The registration of keys is not among the records of signals. */
async function checkRequests(entries: readonly LogEntry[], subtle: SubtleCrypto): Promise<CheckResult> {
  const title = 'Signatures of the publisher';
  const requests = entries.map(({ record }) => record).filter(isRequest);
  const unavailable = (text: string): CheckResult => ({ title, outcome: 'unavailable', text });
  if (!requests.some(({ signed }) => signed))
    return unavailable('The publisher signs nothing: only the service says that these signals are its own.');
  if (!(await supportsEd25519(subtle))) return unavailable(NO_ED25519);
  return runCheck(title, async (faults) => {
    const broken: string[] = [];
    const { signed, unsigned, keys } = await checkSignatures(requests, subtle, broken);
    faults.push(...listed(broken));
    const without = unsigned === 0 ? '' : ` ${unsigned} are without a signature.`;
    return `${signed} of ${requests.length} requests are signed, with the key ${keys.join(' and ')}.${without} “tickwire verify” also checks when a key was registered.`;
  });
}

/** Every signal is of this publisher, and all of them are counted. */
async function checkCounts({ shown, signals, complete }: CheckInput): Promise<CheckResult> {
  const title = 'Number of signals';
  if (!complete)
    return { title, outcome: 'unavailable', text: 'Not all signals were loaded, so their number was not compared.' };
  return runCheck(title, (faults) => {
    const foreign = signals.filter(({ signal, records }) =>
      records.some(
        ({ record }) => !('signal' in record) || record.signal !== signal || record.publisher !== shown.publisher,
      ),
    );
    faults.push(...listed(foreign.map(({ signal }) => `${signal} has a record of another signal or publisher`)));
    const histories = signals.map(historyOf);
    const closed = histories.filter((history) => history.closed ?? history.voided).length;
    const voided = histories.filter((history) => history.voided).length;
    const counts = { signals: signals.length, active: signals.length - closed, closed, voided };
    for (const name of ['signals', 'active', 'closed', 'voided'] as const)
      if (shown[name] !== counts[name]) faults.push(`${name} is shown as ${shown[name]}, but is ${counts[name]}`);
    return `Published ${counts.signals}, active ${counts.active}, closed ${closed}, voided ${voided}, as shown.`;
  });
}

const listed = (faults: readonly string[]): string[] =>
  faults.length <= LISTED ? [...faults] : [...faults.slice(0, LISTED), `And ${faults.length - LISTED} more`];
