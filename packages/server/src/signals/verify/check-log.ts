// Checks the log on its own: whether its records are chained, and whether each record follows from the evidence in it.
// Takes records in order, any number at a time. Keeps active signals, and the ids and owners of all others in memory.
import {
  type AmendedRecord,
  type ClosedRecord,
  type CloseRequestedRecord,
  canonicalJson,
  type LogRecord,
  NO_HASH,
  type OpenedRecord,
  type PublishedRecord,
  RULES_VERSION,
  type SignalRecord,
  type TapeSeal,
  type VoidedRecord,
} from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { sha256 } from '../log-records.ts';
import type { FindingCode, Findings } from './findings.ts';
import type { ParsedSignal } from './parsed-signal.ts';
import { checkPrices, checkPublication, type ReportFault } from './publication-rules.ts';
import { RecordOrder } from './record-order.ts';
import { isFields, shapeFault } from './record-shape.ts';
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
  readonly onJudged?: (signal: ParsedSignal) => void;
  /** Called for each publication, with or without faults. Later records change the signal. */
  readonly onPublication?: (signal: ParsedSignal) => void;
  readonly onVoid?: (signal: string, record: VoidedRecord) => void;
}

/** A signal that was closed or voided. */
interface EndedSignal {
  readonly publisher: string;
  readonly symbol: string;
  readonly rules: number;
  readonly isVoided: boolean;
}

export const sealName = (symbol: string, day: string): string => `${day} ${symbol}`;

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
  /** Times (`at`, in milliseconds since 1970) of the watched numbers and of the ones after them. */
  readonly times = new Map<number, number>();
  readonly #options: LogCheckOptions;
  /** Order of the records in time. */
  readonly order: RecordOrder;
  readonly #ended = new Map<string, EndedSignal>();
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

  /** Call `settle` before reading the findings. */
  add(lines: Iterable<LogLine>): void {
    for (const line of lines) this.#line(line);
  }

  /** Waits for the signatures of all records so far. */
  settle(): Promise<void> {
    return this.signatures.settle();
  }

  #line({ n: storedN, hash, text }: LogLine): void {
    const due = (this.tail?.n ?? -1) + 1;
    const computed = sha256(text);
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
    // A changed record is a fault of its own. That the next one still has its old hash as prev is not reported again.
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
    this.#checkRules(record);
    if ((record.type === 'opened') !== (n === 0)) fault('opening', `${record.type} cannot be record ${n}`);
    this.order.check(record, n, fault);
    if (record.type === 'opened') this.opened ??= record;
    else if (record.type === 'published') this.#published(record);
    else if (record.type === 'tape') this.#sealed(record);
    else if (record.type === 'publisher_key') this.signatures.setKey(record);
    else if (record.type === 'voided') this.#voided(record);
    else this.#ofActive(record);
  }

  #checkRules({ rules, type }: LogRecord): void {
    if (rules !== 1 && rules !== RULES_VERSION)
      this.#fault('rules_version', `rules version ${rules} is unknown: this release knows 1 and ${RULES_VERSION}`);
    else if (rules === 1 && !VERSION_1_TYPES.has(type))
      this.#fault('rules_version', `rules version 1 has no ${type} records`);
    else if (
      rules === 1 &&
      type !== 'closed' &&
      type !== 'voided' &&
      this.order.promisedFrom < Number.POSITIVE_INFINITY
    )
      this.#fault('rules_version', `it has rules version 1, after records of version ${RULES_VERSION}`);
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
    const recorded = new RecordedSignal(record);
    if (checkPrices(record, fault)) checkPublication(record, recorded.publication, fault);
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
    this.#checkOwner(record, recorded.publication);
    if (record.type === 'filled') recorded.addFill(record, fault);
    else if (record.type === 'exited') recorded.addExit(record, fault);
    else if (record.type === 'amended') recorded.addAmendment(record, fault);
    else if (record.type === 'close_requested') recorded.addRequest(record, fault);
    else {
      this.#closed(record, recorded, before);
      return;
    }
    if (this.#options.findings.count > before) recorded.unsound = true;
  }

  #closed(record: ClosedRecord, recorded: RecordedSignal, before: number): void {
    const { findings, onJudged } = this.#options;
    const { digits, pipSize, publisher, symbol, rules } = recorded.publication;
    this.active.delete(record.signal);
    this.#ended.set(record.signal, { publisher, symbol, rules, isVoided: false });
    this.closed++;
    if (record.instrument.digits !== digits || record.instrument.pip_size !== pipSize)
      this.#fault('belongs', 'digits or pip_size differ from the publication');
    const reproduced = recorded.addClosing(record, this.#fault);
    if (!reproduced || findings.count > before) return;
    this.recomputed++;
    onJudged?.(recorded);
  }

  #voided(record: VoidedRecord): void {
    const { signal } = record;
    const fault = this.#fault;
    const active = this.active.get(signal);
    const ended = this.#ended.get(signal);
    const owner = active?.publication ?? ended;
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
    const { publisher, symbol, rules } = owner;
    this.#ended.set(signal, { publisher, symbol, rules, isVoided: true });
    if (active) {
      this.active.delete(signal);
      active.voidedN = record.n;
      if (!active.unsound) this.#options.onJudged?.(active);
    }
    this.#options.onVoid?.(signal, record);
  }

  /** Its faults may come later than those of other records. */
  #checkSignature(record: PublishedRecord | AmendedRecord | CloseRequestedRecord): void {
    const { n, signal } = record;
    this.signatures.check(record, (code, message) => this.#options.findings.add({ n, signal, code, message }));
  }

  #checkOwner(record: SignalRecord, owner: Pick<EndedSignal, 'publisher' | 'symbol' | 'rules'>): void {
    if (record.publisher !== owner.publisher || record.symbol !== owner.symbol || record.rules !== owner.rules)
      this.#fault('belongs', 'publisher, symbol or rules differ from the publication');
  }

  #sealed(record: TapeSeal): void {
    const fault = this.#fault;
    const { day, symbol } = record;
    if (Date.parse(day) + DAY_MS > Date.parse(record.at)) fault('sealed_file', `${day} was sealed before it was over`);
    if (this.seals.has(sealName(symbol, day))) fault('sealed_twice', `${symbol} of ${day} was already sealed`);
    else this.seals.set(sealName(symbol, day), record);
  }
}

const VERSION_1_TYPES: ReadonlySet<LogRecord['type']> = new Set(['opened', 'published', 'closed', 'voided', 'tape']);

const CHAIN_FAULTS: ReadonlySet<FindingCode> = new Set([
  'number',
  'hash',
  'prev',
  'not_json',
  'not_canonical',
  'opening',
]);
