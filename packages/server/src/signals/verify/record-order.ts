// Checks the order of records in time (L2, L3 in docs/reference/signals.md).
import type { LogRecord } from '@tickwire/contract';
import { epoch } from '../log-records.ts';
import type { ReportFault } from './findings.ts';

export class RecordOrder {
  /** Times of the heads known for a record number, in milliseconds. */
  #heads: ReadonlyMap<number, number>;
  readonly #seqs = new Map<string, number>();
  #opened = '';
  #before = '';
  /** The latest head of a record before this one, ISO 8601. */
  #head = '';

  /** `at` of the last record, in milliseconds; 0 before the first. */
  get lastTime(): number {
    return this.#before === '' ? 0 : epoch(this.#before);
  }

  constructor(heads: ReadonlyMap<number, number> = new Map()) {
    this.#heads = heads;
  }

  /** Times in records all have the same format, so that they can be compared as texts. */
  check(record: LogRecord, n: number, fault: ReportFault): void {
    const { at } = record;
    if (record.type === 'opened') {
      this.#opened ||= at;
      // In a replay, records have the time of the recording, and heads the time of the clock.
      if (record.realm === 'replay') this.#heads = new Map();
    }
    if (at < this.#before)
      fault('time_order', `it was written at ${at}, before the record before it (${this.#before})`);
    if (at < this.#opened) fault('time_order', `it was written at ${at}, before the log was opened (${this.#opened})`);
    if (at < this.#head)
      fault('time_order', `it was written at ${at}, before the head of a record before it (${this.#head})`);
    if ('quote' in record) this.#checkQuote(record.symbol, record.quote.seq, fault);
    this.#before = at;
    const head = this.#heads.get(n);
    if (head !== undefined) {
      const signedAt = new Date(head).toISOString();
      if (signedAt > this.#head) this.#head = signedAt;
    }
  }

  #checkQuote(symbol: string, seq: number, fault: ReportFault): void {
    const before = this.#seqs.get(symbol) ?? 0;
    if (seq < before) fault('quote_order', `its quote ${seq} is older than quote ${before} in a record before it`);
    else this.#seqs.set(symbol, seq);
  }
}
