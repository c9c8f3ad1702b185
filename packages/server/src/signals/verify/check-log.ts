// Checks the log on its own: whether its records are chained, and whether each record follows from the evidence in it.
// Takes records in order, any number at a time. Keeps active signals, and the ids and owners of all others in memory.
import {
  type AmendedRecord,
  type ClosedRecord,
  type CloseRequestedRecord,
  canonicalJson,
  type FeedRecord,
  iso,
  LogRecord,
  NO_HASH,
  type OpenedRecord,
  type PublishedRecord,
  RULES_VERSION,
  type SignalRecord,
  type TapeSeal,
  type VoidedRecord,
} from '@tickwire/contract';
import { DAY_MS, GRACE_MS } from '@tickwire/engine';
import { firstFault } from '../../errors/validation.ts';
import { sha256Hex } from '../../ops/sha256.ts';
import { EvidenceCheck } from './evidence-check.ts';
import type { FindingCode, Findings, ReportFault } from './findings.ts';
import { RecordOrder } from './record-order.ts';
import { RecordedSignal } from './recorded-signal.ts';
import { PublisherSignatures } from './signature-rules.ts';

export interface LogLine {
  /** Set if the store keeps the number beside the text. */
  readonly n?: number;
  readonly hash: string;
  /** Canonical JSON. */
  readonly text: string;
}

export interface LogCheckOptions {
  readonly findings: Findings;
  /** Numbers of the records whose hashes and times are needed. */
  readonly watched?: ReadonlySet<number>;
  /** Times of heads that were kept outside, in milliseconds, by the number of their record. */
  readonly heads?: ReadonlyMap<number, number>;
  /** Called for each signal that ended, by a closing or a void, without faults. */
  readonly onJudged?: (signal: RecordedSignal) => void;
  /** Called for each publication, with or without faults. Later records change the signal. */
  readonly onPublication?: (signal: RecordedSignal) => void;
  readonly onVoid?: (signal: string, record: VoidedRecord) => void;
}

/** A signal that was closed or voided. */
interface EndedSignal {
  readonly publisher: string;
  readonly symbol: string;
  readonly isVoided: boolean;
}

/** A source that is disconnected keeps a signal active after its deadline (C2). A longer outage is a fault of the record. */
const OUTAGE_MS = DAY_MS;

export const sealName = (symbol: string, day: string): string => `${day} ${symbol}`;

const isFields = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What is wrong with the shape of a record; `null` if nothing is. */
export function shapeFault(record: unknown): string | null {
  const read = LogRecord.safeParse(record);
  return read.success ? null : firstFault(read.error, LogRecord, record, 'the record');
}

/** Parsing and serializing keeps the order of members, so sorted text that survives it is canonical. */
function isCanonical(record: unknown, text: string): boolean {
  // A lone surrogate is serialized as an escape, which the comparison would accept.
  if (!text.includes('\\u')) return JSON.stringify(record) === text && (!isFields(record) || isSorted(record));
  try {
    return canonicalJson(record) === text;
  } catch {
    return false;
  }
}

function isSorted(members: object): boolean {
  if (Array.isArray(members)) return members.every((item) => !isFields(item) || isSorted(item));
  let last = '';
  for (const name in members) {
    if (name < last) return false;
    last = name;
    const member = (members as Record<string, unknown>)[name];
    if (isFields(member) && !isSorted(member)) return false;
  }
  return true;
}

export class LogCheck {
  records = 0;
  signals = 0;
  closed = 0;
  voided = 0;
  /** Declared gaps and fail-overs. */
  gaps = 0;
  /** Faults of the chain itself. */
  broken = 0;
  /** Closings whose result was reproduced from their evidence. */
  recomputed = 0;
  opened: OpenedRecord | null = null;
  /** Number and recomputed hash of the last record. */
  tail: { readonly n: number; readonly hash: string } | null = null;
  readonly active = new Map<string, RecordedSignal>();
  readonly signatures = new PublisherSignatures();
  readonly seals = new Map<string, TapeSeal>();
  /** Recomputed hashes of the watched numbers. */
  readonly hashes = new Map<number, string>();
  /** The greatest `seq` in a record. Records are written in the order of events: what events up to it decided is in the log. */
  namedSeq = -1;
  /** Times (`at`, in milliseconds since 1970) of the watched numbers and of the ones after them. */
  readonly times = new Map<number, number>();
  readonly #options: LogCheckOptions;
  readonly #evidence = new EvidenceCheck();
  /** Order of the records in time. */
  readonly order: RecordOrder;
  readonly #ended = new Map<string, EndedSignal>();
  /** Declared gaps and fail-overs, by symbol. */
  readonly #gaps = new Map<string, FeedRecord[]>();
  #storedHash = NO_HASH;
  /** The record being checked, and its signal. */
  #n = -1;
  #signal: string | undefined;
  readonly #fault: ReportFault = (code, message) => {
    if (CHAIN_FAULTS.has(code)) this.broken++;
    const signal = this.#signal;
    this.#options.findings.add({ n: this.#n, ...(signal !== undefined && { signal }), code, message });
  };

  constructor(options: LogCheckOptions) {
    this.#options = options;
    this.order = new RecordOrder(options.heads);
  }

  /** Call `end` before reading the findings. */
  add(lines: Iterable<LogLine>): void {
    for (const line of lines) this.#line(line);
  }

  /** Waits for the signatures of all records so far. */
  settle(): Promise<void> {
    return this.signatures.settle();
  }

  /** Call after the last record: judges the signals that are active. */
  async end(): Promise<void> {
    for (const recorded of this.active.values()) this.#isJudgedAlike(recorded);
    await this.settle();
  }

  /** Reports the signals that are active although their deadline passed. `until`: the newest time of a head, in milliseconds. */
  checkDeadlines(until: number): void {
    const end = Math.max(until, this.order.lastTime);
    for (const { published, order, filled } of this.active.values()) {
      const deadline = filled ? order.deadline : order.entryDeadline;
      if (end < deadline + GRACE_MS + OUTAGE_MS) continue;
      const message = `it is active at ${iso(end)}, but its deadline was ${iso(deadline)}`;
      this.#options.findings.add({ n: published.n, signal: published.signal, code: 'never_closed', message });
    }
  }

  #line({ n: storedN, hash, text }: LogLine): void {
    const due = (this.tail?.n ?? -1) + 1;
    const computed = sha256Hex(text);
    const fault = this.#fault;
    this.records++;
    this.#n = storedN ?? due;
    this.#signal = undefined;
    const record = this.#read(text);
    // The number kept by the store, or else the one in the record.
    const n = storedN ?? record?.n ?? due;
    this.#n = n;
    if (hash !== computed) fault('hash', `its hash is ${computed}, not ${hash}`);
    if (n !== due) fault('number', `it is record ${n}, but ${due} was expected`);
    if (record && record.n !== n) fault('number', `the record itself has the number ${record.n}`);
    // A changed record is a separate fault. That the next one still has its old hash as prev is not reported again.
    const before = this.tail?.hash ?? NO_HASH;
    if (record && record.prev !== before && record.prev !== this.#storedHash)
      fault('prev', `prev is ${record.prev}, but the hash of the record before is ${before}`);
    this.tail = { n, hash: computed };
    this.#storedHash = hash;
    const { watched } = this.#options;
    if (watched?.has(n)) this.hashes.set(n, computed);
    if (record && (watched?.has(n) || watched?.has(n - 1))) this.times.set(n, Date.parse(record.at));
    if (record) this.#record(record, n);
  }

  #read(text: string): LogRecord | null {
    let record: unknown;
    try {
      record = JSON.parse(text);
    } catch {
      this.#fault('not_json', 'its text is not JSON');
      return null;
    }
    const wrong = shapeFault(record);
    if (wrong) this.#fault('shape', wrong);
    if (!isCanonical(record, text)) this.#fault('not_canonical', 'its text is not canonical JSON');
    return wrong ? null : (record as LogRecord);
  }

  #record(record: LogRecord, n: number): void {
    const fault = this.#fault;
    if ('signal' in record) this.#signal = record.signal;
    if (record.rules !== RULES_VERSION)
      fault('rules_version', `it has rules version ${record.rules}: the only version is ${RULES_VERSION}`);
    if ((record.type === 'opened') !== (n === 0)) fault('opening', `${record.type} cannot be record ${n}`);
    this.order.check(record, n, fault);
    if (record.type === 'opened') this.opened ??= record;
    else if (record.type === 'published') this.#published(record);
    else if (record.type === 'tape') this.#sealed(record);
    else if (record.type === 'feed') this.#lost(record);
    else if (record.type === 'publisher_key') this.signatures.setKey(record);
    else if (record.type === 'voided') this.#voided(record);
    else this.#ofActive(record);
    this.namedSeq = Math.max(this.namedSeq, seqOf(record));
  }

  #published(record: PublishedRecord): void {
    const { signal } = record;
    const before = this.#options.findings.count;
    const fault = this.#fault;
    this.#checkSignature(record);
    if (this.active.has(signal) || this.#ended.has(signal)) {
      fault('published_twice', 'a signal with this id was already published');
      return;
    }
    this.signals++;
    const recorded = new RecordedSignal(record, fault);
    recorded.unsound = this.#options.findings.count > before;
    this.active.set(signal, recorded);
    this.#options.onPublication?.(recorded);
  }

  /** A record about a signal that must be active. */
  #ofActive(record: Exclude<SignalRecord, PublishedRecord | VoidedRecord>): void {
    const { signal, type } = record;
    const before = this.#options.findings.count;
    const fault = this.#fault;
    if (record.type === 'amended' || record.type === 'close_requested') this.#checkSignature(record);
    const recorded = this.active.get(signal);
    if (!recorded) {
      if (!this.#ended.has(signal)) fault('not_published', 'it was never published');
      else if (type === 'closed') fault('closed_twice', 'it was already closed');
      else fault('record_order', `${type} after it was closed`);
      return;
    }
    this.#checkOwner(record, recorded.published);
    recorded.add(record, fault);
    if (record.type === 'closed') this.#checkGap(record, recorded.published.quote.seq);
    if (this.#options.findings.count > before) recorded.unsound = true;
    if (record.type === 'closed') this.#closed(record, recorded);
  }

  #closed(record: ClosedRecord, recorded: RecordedSignal): void {
    const { publisher, symbol } = recorded.published;
    this.active.delete(record.signal);
    this.#ended.set(record.signal, { publisher, symbol, isVoided: false });
    this.closed++;
    if (!this.#isJudgedAlike(recorded)) return;
    this.recomputed++;
    this.#options.onJudged?.(recorded);
  }

  /** Whether the engine comes to the same results as the records, by the events in them. */
  #isJudgedAlike(recorded: RecordedSignal): boolean {
    const { signal } = recorded.published;
    if (!recorded.unsound)
      recorded.unsound = !this.#evidence.check(recorded, (n, code, message) =>
        this.#options.findings.add({ n, signal, code, message }),
      );
    return !recorded.unsound;
  }

  #voided(record: VoidedRecord): void {
    const { signal } = record;
    const fault = this.#fault;
    const active = this.active.get(signal);
    const ended = this.#ended.get(signal);
    const owner = active?.published ?? ended;
    if (!owner) {
      fault('not_published', 'it was never published');
      return;
    }
    if (ended?.isVoided) {
      fault('voided_twice', 'it was already voided');
      return;
    }
    this.#checkOwner(record, owner);
    this.voided++;
    const { publisher, symbol } = owner;
    this.#ended.set(signal, { publisher, symbol, isVoided: true });
    if (active) {
      this.active.delete(signal);
      active.isVoided = true;
      if (this.#isJudgedAlike(active)) this.#options.onJudged?.(active);
    }
    this.#options.onVoid?.(signal, record);
  }

  /** Its faults may come later than those of other records. */
  #checkSignature(record: PublishedRecord | AmendedRecord | CloseRequestedRecord): void {
    const { n, signal } = record;
    this.signatures.check(record, (code, message) => this.#options.findings.add({ n, signal, code, message }));
  }

  #checkOwner(record: SignalRecord, owner: Pick<EndedSignal, 'publisher' | 'symbol'>): void {
    if (record.publisher !== owner.publisher || record.symbol !== owner.symbol)
      this.#fault('belongs', 'publisher or symbol differ from the publication');
  }

  #lost(record: FeedRecord): void {
    const { symbol, event, seq, from, to } = record;
    if (from > to) this.#fault('gap', `it begins at ${from}, after its end ${to}`);
    // Records are written in the order of events.
    if (seq < this.namedSeq)
      this.#fault('gap', `its event ${seq} is older than event ${this.namedSeq} in a record before it`);
    if (event === 'disconnect') return;
    this.gaps++;
    const known = this.#gaps.get(symbol);
    if (known) known.push(record);
    else this.#gaps.set(symbol, [record]);
  }

  /** G2: the gaps after the accepted quote and before the closing. */
  #checkGap({ symbol, gap_from, gap_to, decided_seq }: ClosedRecord, accepted: number): void {
    let [from, to]: (string | undefined)[] = [];
    for (const gap of this.#gaps.get(symbol) ?? []) {
      if (gap.seq <= accepted || gap.seq > decided_seq) continue;
      if (from === undefined || gap.from < from) from = gap.from;
      if (to === undefined || gap.to > to) to = gap.to;
    }
    if (gap_from !== from || gap_to !== to)
      this.#fault('gap', `it has a gap from ${gap_from} to ${gap_to}; the log declares one from ${from} to ${to}`);
  }

  #sealed(record: TapeSeal): void {
    const fault = this.#fault;
    const { day, symbol } = record;
    if (Date.parse(day) + DAY_MS > Date.parse(record.at)) fault('sealed_file', `${day} was sealed before it was over`);
    if (this.seals.has(sealName(symbol, day))) fault('sealed_twice', `${symbol} of ${day} was already sealed`);
    else this.seals.set(sealName(symbol, day), record);
  }
}

/** The `seq` up to which events were judged when the record was written; −1 if it does not say. */
function seqOf(record: LogRecord): number {
  if (record.type === 'closed') return record.decided_seq;
  if (record.type === 'feed') return record.seq;
  if (record.type === 'filled') return record.filled.seq;
  if (record.type === 'exited') return record.decided.seq;
  return 'quote' in record ? record.quote.seq : -1;
}

const CHAIN_FAULTS: ReadonlySet<FindingCode> = new Set([
  'number',
  'hash',
  'prev',
  'not_json',
  'not_canonical',
  'opening',
]);
