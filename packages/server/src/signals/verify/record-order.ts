// Checks the order of records in time (L2, L3 in docs/signals.md). Rules version 1 did not promise it: it holds from the first
// record of version 2 on.
import type { LogRecord } from '@tickwire/contract';
import type { ReportFault } from './publication-rules.ts';

export class RecordOrder {
  /** Times of the heads known for a record number, in milliseconds. */
  #heads: ReadonlyMap<number, number>;
  readonly #seqs = new Map<string, number>();
  /** Number of the first record of rules version 2; `Infinity` before it. */
  promisedFrom = Number.POSITIVE_INFINITY;
  #opened = '';
  #before = '';
  /** The latest head of a record before this one, ISO 8601. */
  #head = '';

  constructor(heads: ReadonlyMap<number, number> = new Map()) {
    this.#heads = heads;
  }

  /** Times in records all have the same format, so that they can be compared as texts. */
  check(record: LogRecord, n: number, fault: ReportFault): void {
    const { at } = record;
    if (record.rules > 1 && n < this.promisedFrom) this.promisedFrom = n;
    if (record.type === 'opened') {
      this.#opened ||= at;
      // In a replay, records have the time of the recording, and heads the time of the clock.
      if (record.realm === 'replay') this.#heads = new Map();
    }
    if (n >= this.promisedFrom) {
      if (at < this.#before)
        fault('time_order', `it was written at ${at}, before the record before it (${this.#before})`);
      if (at < this.#opened)
        fault('time_order', `it was written at ${at}, before the log was opened (${this.#opened})`);
      if (at < this.#head)
        fault('time_order', `it was written at ${at}, before the head of a record before it (${this.#head})`);
      if ('quote' in record) this.#checkQuote(record.symbol, record.quote.seq, fault);
    }
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
