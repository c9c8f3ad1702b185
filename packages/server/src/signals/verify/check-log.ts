// Checks the log on its own: whether its records are chained, and whether each record follows from the evidence in it.
// Takes records in order, any number at a time. Keeps only active publications and the ids of all signals in memory.
import {
  type ClosedRecord,
  canonicalJson,
  type LogRecord,
  NO_HASH,
  type OpenedRecord,
  type PublishedRecord,
  type TapeSeal,
} from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { sha256 } from '../log-records.ts';
import { checkClosing, checkClosingPrices, checkFlags } from './closing-rules.ts';
import type { FindingCode, Findings } from './findings.ts';
import { type ParsedPublication, parseClosing, parsePublication, type SignalLifecycle } from './parsed-signal.ts';
import { checkPrices, checkPublication, checkRules, type ReportFault } from './publication-rules.ts';
import { shapeFault } from './record-shape.ts';

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
  /** Called for each closed signal without faults. */
  readonly onLifecycle?: (lifecycle: SignalLifecycle) => void;
  /** Called for each publication, and for each closing that belongs to one, with or without faults. */
  readonly onPublication?: (publication: ParsedPublication) => void;
  readonly onClosing?: (lifecycle: SignalLifecycle) => void;
}

export const sealName = (symbol: string, day: string): string => `${day} ${symbol}`;

/** Parsing and serializing keeps the order of members, so sorted text that survives it is canonical. */
function isCanonical(record: unknown, text: string): boolean {
  // A lone surrogate is serialized as an escape, which the comparison would accept.
  if (!text.includes('\\u')) return isSorted(record) && JSON.stringify(record) === text;
  try {
    return canonicalJson(record) === text;
  } catch {
    return false;
  }
}

function isSorted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  let last = '';
  const members = value as Record<string, unknown>;
  for (const name in members) {
    if (name < last || !isSorted(members[name])) return false;
    last = name;
  }
  return true;
}

export class LogCheck {
  records = 0;
  signals = 0;
  closed = 0;
  /** Faults of the chain itself. */
  broken = 0;
  /** Closings whose result was reproduced from their evidence. */
  recomputed = 0;
  opened: OpenedRecord | null = null;
  /** Number and recomputed hash of the last record. */
  tail: { readonly n: number; readonly hash: string } | null = null;
  readonly active = new Map<string, ParsedPublication>();
  readonly seals = new Map<string, TapeSeal>();
  /** Recomputed hashes of the watched numbers. */
  readonly hashes = new Map<number, string>();
  /** Times (`at`, in milliseconds since 1970) of the watched numbers and of the ones after them. */
  readonly times = new Map<number, number>();
  readonly #options: LogCheckOptions;
  readonly #ids = new Set<string>();
  /** Publications with faults: their closings are not checked. */
  readonly #unsound = new Set<string>();
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
  }

  add(lines: Iterable<LogLine>): void {
    for (const line of lines) this.#line(line);
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
    checkRules(record.rules, this.#fault);
    if ((record.type === 'opened') !== (n === 0)) this.#fault('opening', `${record.type} cannot be record ${n}`);
    if (record.type === 'published') this.#published(record);
    else if (record.type === 'closed') this.#closed(record);
    else if (record.type === 'tape') this.#sealed(record);
    else this.opened ??= record;
  }

  #published(record: PublishedRecord): void {
    const { signal } = record;
    const before = this.#options.findings.count;
    const fault = this.#fault;
    this.#signal = signal;
    if (this.#ids.has(signal)) {
      fault('published_twice', 'a signal with this id was already published');
      return;
    }
    this.#ids.add(signal);
    this.signals++;
    const publication = parsePublication(record);
    if (checkPrices(record, fault)) checkPublication(publication, fault);
    if (this.#options.findings.count > before) this.#unsound.add(signal);
    this.active.set(signal, publication);
    this.#options.onPublication?.(publication);
  }

  #closed(record: ClosedRecord): void {
    const { findings, onLifecycle, onClosing } = this.#options;
    const { signal } = record;
    const before = findings.count;
    const fault = this.#fault;
    this.#signal = signal;
    const publication = this.active.get(signal);
    if (!publication) {
      if (this.#ids.has(signal)) fault('closed_twice', 'it was already closed');
      else fault('not_published', 'it was never published');
      return;
    }
    this.active.delete(signal);
    this.closed++;
    const { digits, pipSize } = publication;
    if (record.publisher !== publication.publisher || record.symbol !== publication.symbol)
      fault('belongs', 'publisher or symbol differ from the publication');
    if (record.instrument.digits !== digits || record.instrument.pip_size !== pipSize)
      fault('belongs', 'digits or pip_size differ from the publication');
    const lifecycle = { publication, closing: parseClosing(record) };
    onClosing?.(lifecycle);
    checkFlags(record, publication, fault);
    if (this.#unsound.delete(signal) || !checkClosingPrices(record, digits, fault)) return;
    checkClosing(lifecycle, fault);
    if (findings.count > before) return;
    this.recomputed++;
    onLifecycle?.(lifecycle);
  }

  #sealed(record: TapeSeal): void {
    const fault = this.#fault;
    const { day, symbol } = record;
    if (Date.parse(day) + DAY_MS > Date.parse(record.at)) fault('sealed_file', `${day} was sealed before it was over`);
    if (this.seals.has(sealName(symbol, day))) fault('sealed_twice', `${symbol} of ${day} was already sealed`);
    else this.seals.set(sealName(symbol, day), record);
  }
}

const CHAIN_FAULTS: ReadonlySet<FindingCode> = new Set([
  'number',
  'hash',
  'prev',
  'not_json',
  'not_canonical',
  'opening',
]);
