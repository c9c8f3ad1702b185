// The log by itself: whether its records are chained, and each says what follows from the evidence in it. Takes records in
// their order and any number at a time; what it keeps is the publications that are still active, and the ids of all.
import {
  type ClosedRecord,
  canonicalJson,
  type LogRecord,
  NO_HASH,
  type OpenedRecord,
  type PublishedRecord,
  type TapeSeal,
} from '@tickwire/contract';
import { checkClosing, checkClosingPrices, checkMarks } from './closing-rules.ts';
import type { FindingCode, Findings } from './finding.ts';
import { closingOf, type Life, type Publication, publicationOf } from './life.ts';
import { checkPrices, checkPublication, checkRules, type Fault } from './publication-rules.ts';
import { shapeFault } from './record-shape.ts';

const DAY_MS = 86_400_000;

export interface LogLine {
  /** Where the store keeps the number beside the text. */
  readonly n?: number;
  readonly hash: string;
  /** Canonical JSON. */
  readonly text: string;
}

export interface LogCheckOptions {
  readonly findings: Findings;
  /** Numbers of records whose hashes are asked for. */
  readonly watched?: ReadonlySet<number>;
  /** Told of each life that is whole and without fault. */
  readonly onLife?: (life: Life) => void;
  /** Told of each publication, and of each closing that belongs to one, sound or not. */
  readonly onPublication?: (publication: Publication) => void;
  readonly onClosing?: (life: Life) => void;
}

export const sealName = (symbol: string, day: string): string => `${day} ${symbol}`;

const sha256 = (text: string): string => Bun.CryptoHasher.hash('sha256', text, 'hex');

/** Reading and writing again keeps the order of the members: it gives back a canonical text, and no other that is sorted. */
function isCanonical(record: unknown, text: string): boolean {
  // Half a character is written as an escape, which the comparison would let pass.
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
  /** Closings whose result came out the same from their evidence. */
  recomputed = 0;
  opened: OpenedRecord | null = null;
  /** The last record: its number and its recomputed hash. */
  tail: { readonly n: number; readonly hash: string } | null = null;
  readonly active = new Map<string, Publication>();
  readonly seals = new Map<string, TapeSeal>();
  /** Recomputed, of the numbers that were watched. */
  readonly hashes = new Map<number, string>();
  readonly #options: LogCheckOptions;
  readonly #ids = new Set<string>();
  /** Publications that were at fault: nothing more is said of them. */
  readonly #unsound = new Set<string>();
  #storedHash = NO_HASH;
  /** The record that is looked at, and the signal it is of. */
  #n = -1;
  #signal: string | undefined;
  readonly #fault: Fault = (code, message) => {
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
    // The number it stands at is the store's own where it keeps one, else what it says itself.
    const n = storedN ?? record?.n ?? due;
    this.#n = n;
    if (hash !== computed) fault('hash', `its hash is ${computed}, not ${hash}`);
    if (n !== due) fault('number', `record ${n} stands where ${due} is due`);
    if (record && record.n !== n) fault('number', `the record says it is ${record.n}`);
    // A record that was changed is at fault itself: that the next one still holds its old hash is not said again.
    const before = this.tail?.hash ?? NO_HASH;
    if (record && record.prev !== before && record.prev !== this.#storedHash)
      fault('prev', `prev is ${record.prev}, but the hash of the record before is ${before}`);
    this.tail = { n, hash: computed };
    this.#storedHash = hash;
    if (this.#options.watched?.has(n)) this.hashes.set(n, computed);
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
      fault('published_twice', 'a signal of this id was published before');
      return;
    }
    this.#ids.add(signal);
    this.signals++;
    const publication = publicationOf(record);
    if (checkPrices(record, fault)) checkPublication(publication, fault);
    if (this.#options.findings.count > before) this.#unsound.add(signal);
    this.active.set(signal, publication);
    this.#options.onPublication?.(publication);
  }

  #closed(record: ClosedRecord): void {
    const { findings, onLife, onClosing } = this.#options;
    const { signal } = record;
    const before = findings.count;
    const fault = this.#fault;
    this.#signal = signal;
    const publication = this.active.get(signal);
    if (!publication) {
      if (this.#ids.has(signal)) fault('closed_twice', 'it was closed before');
      else fault('not_published', 'it was never published');
      return;
    }
    this.active.delete(signal);
    this.closed++;
    const { digits, pipSize } = publication;
    if (record.publisher !== publication.publisher || record.symbol !== publication.symbol)
      fault('belongs', 'publisher or symbol are not those of the publication');
    if (record.instrument.digits !== digits || record.instrument.pip_size !== pipSize)
      fault('belongs', 'digits or pip_size are not those of the publication');
    const life = { publication, closing: closingOf(record) };
    onClosing?.(life);
    checkMarks(record, publication, fault);
    if (this.#unsound.delete(signal) || !checkClosingPrices(record, digits, fault)) return;
    checkClosing(life, fault);
    if (findings.count > before) return;
    this.recomputed++;
    onLife?.(life);
  }

  #sealed(record: TapeSeal): void {
    const fault = this.#fault;
    const { day, symbol } = record;
    if (Date.parse(day) + DAY_MS > Date.parse(record.at)) fault('sealed_file', `${day} was sealed before it was over`);
    if (this.seals.has(sealName(symbol, day))) fault('sealed_twice', `${symbol} of ${day} was sealed before`);
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
