// Recomputes a whole track record from the log records of its signals, and compares it with the figures that the page shows.
import type { LogEntry, PublisherDetail } from '@tickwire/client';
import { recordHash } from '../signals/evidence/canonical.ts';
import { type CheckResult, runCheck } from '../signals/evidence/check-result.ts';
import { checkSignatures, isRequest, NO_ED25519, supportsEd25519 } from '../signals/evidence/signatures.ts';
import { checkSignal } from './check-signal.ts';
import { closingN, type Figures, figuresOf, type Recomputed } from './counting.ts';
import { evidenceOf } from './decisions.ts';
import { historyOf, type PublicSignal } from './history.ts';

/** Faults of one kind that are listed; the others are counted. */
const LISTED = 3;

export interface RecordChecks {
  readonly results: readonly CheckResult[];
  /** Closed signals, and how many of them have exactly the recorded result. */
  readonly closed: number;
  readonly recomputed: number;
}

export interface CheckInput {
  /** As the page shows it. */
  readonly shown: PublisherDetail;
  readonly signals: readonly PublicSignal[];
  readonly untrusted: ReadonlySet<string>;
  /** Whether `signals` are all signals of the publisher, as of `shown`. */
  readonly complete: boolean;
}

/** `onProgress` gets the number of hashed records and of all records. */
export async function checkRecord(
  { shown, signals, untrusted, complete }: CheckInput,
  subtle: SubtleCrypto,
  onProgress: (done: number, all: number) => void = () => undefined,
): Promise<RecordChecks> {
  const entries = signals.flatMap(({ records }) => records).sort((a, b) => a.record.n - b.record.n);
  const recomputed: Recomputed[] = [];
  const broken: string[] = [];
  const results: CheckResult[] = [
    await runCheck('Hashes', (faults) => hashFaults(entries, subtle, faults, onProgress)),
    await runCheck('Hash chain', (faults) => chainFaults(entries, faults)),
    await runCheck('Prices and results', (faults) => {
      for (const signal of signals) {
        try {
          const history = historyOf(signal);
          if (history.published.publisher !== shown.publisher) broken.push(`${signal.signal} is of another publisher`);
          const checked = checkSignal(history);
          recomputed.push({ history, ...checked });
          broken.push(...checked.faults.slice(0, 1).map((fault) => `${signal.signal}: ${fault}`));
        } catch {
          broken.push(`${signal.signal}: a record is malformed`);
        }
      }
      faults.push(...listed(broken));
      return 'Each entry and exit price follows from the market prices in its records, and each result from these.';
    }),
    await checkRequests(entries, subtle),
  ];
  const counts = {
    closed: recomputed.filter(({ history }) => closingN(history) !== null).length,
    recomputed: recomputed.filter(({ history, faults }) => closingN(history) !== null && faults.length === 0).length,
  };
  if (!complete) {
    const text = 'Not all signals were loaded, so the figures were not compared.';
    return { ...counts, results: [...results, { title: 'Figures', outcome: 'unavailable', text }] };
  }
  results.push(await runCheck('Figures', (faults) => figureFaults(recomputed, untrusted, shown, faults)));
  results.push(await checkEvidence(recomputed, untrusted, shown));
  return { ...counts, results };
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
    if ((await recordHash(record, subtle)) !== hash) changed.push(`Record ${record.n} does not have its hash`);
  }
  faults.push(...listed(changed));
  return `${entries.length} log records have the SHA-256 that they are listed with.`;
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
    return unavailable('The publisher signs nothing: that these signals are its own is the word of the service.');
  if (!(await supportsEd25519(subtle))) return unavailable(NO_ED25519);
  return runCheck(title, async (faults) => {
    const broken: string[] = [];
    const { signed, unsigned, keys } = await checkSignatures(requests, subtle, broken);
    faults.push(...listed(broken));
    const without = unsigned === 0 ? '' : ` ${unsigned} are without a signature.`;
    return `${signed} of ${requests.length} requests are signed, with the key ${keys.join(' and ')}.${without} “tickwire verify” also checks when a key was registered.`;
  });
}

const FIGURES: readonly (keyof Figures)[] = [
  ...(['signals', 'active', 'closed', 'ranked_signals', 'wins', 'losses', 'breakeven', 'unfilled'] as const),
  ...(['unranked', 'total_r', 'max_drawdown_r'] as const),
];

function figureFaults(
  recomputed: readonly Recomputed[],
  untrusted: ReadonlySet<string>,
  shown: PublisherDetail,
  faults: string[],
): string {
  const compare = (where: string, own: Figures, theirs: Figures): void => {
    for (const name of FIGURES)
      if (own[name] !== theirs[name]) faults.push(`${name}${where} is shown as ${theirs[name]}, but is ${own[name]}`);
  };
  compare('', figuresOf(recomputed, untrusted), shown);
  const bySymbol = Map.groupBy(recomputed, ({ history }) => history.published.symbol);
  for (const instrument of shown.instruments)
    compare(` of ${instrument.symbol}`, figuresOf(bySymbol.get(instrument.symbol) ?? [], untrusted), instrument);
  if (bySymbol.size !== shown.instruments.length) faults.push('An instrument is missing');
  const voided = recomputed.filter(({ history }) => history.voided).length;
  if (voided !== shown.voided) faults.push(`${shown.voided} voids are shown, but there are ${voided}`);
  return 'Counts, total R and max drawdown are those of the records, in total and by instrument.';
}

/** Open signals count at current prices, which the records do not have. */
async function checkEvidence(
  recomputed: readonly Recomputed[],
  untrusted: ReadonlySet<string>,
  shown: PublisherDetail,
): Promise<CheckResult> {
  const title = 'Decisions and e-value';
  const own = evidenceOf(recomputed, untrusted);
  const open = recomputed.filter(({ history }) => history.filled && closingN(history) === null).length;
  const closedOnly = `Decisions of closed signals: ${own.decisions}, e-value ${own.e_value}.`;
  if (open > 0)
    return {
      title,
      outcome: 'unavailable',
      text: `${closedOnly} The status above also values ${open} open ${open === 1 ? 'signal' : 'signals'}, at prices that are not in the log.`,
    };
  return runCheck(title, (faults) => {
    if (own.decisions !== shown.decisions)
      faults.push(`${shown.decisions} decisions are shown, but there are ${own.decisions}`);
    if (own.e_value !== shown.e_value) faults.push(`The e-value is shown as ${shown.e_value}, but is ${own.e_value}`);
    return `Decisions: ${own.decisions}, e-value ${own.e_value}, as shown.`;
  });
}

const listed = (faults: readonly string[]): string[] =>
  faults.length <= LISTED ? [...faults] : [...faults.slice(0, LISTED), `And ${faults.length - LISTED} more`];
