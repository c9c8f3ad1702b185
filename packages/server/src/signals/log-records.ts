// Records of the signal log as text: hashing, chaining and parsing, and the conversion of times and evidence between the engine
// (milliseconds) and the records (ISO 8601).
import { canonicalJson, type Evidence, type LogRecord } from '@tickwire/contract';
import { asEpochMs, type Evidence as Decided, type EpochMs, type QuoteEvidence } from '@tickwire/engine';
import type { SignalStream, StoredRecord } from '../store/signal-store.ts';

/** A record before it is chained. */
export type UnchainedRecord<R extends LogRecord> = R extends LogRecord ? Omit<R, 'n' | 'prev'> : never;

export const iso = (time: number): string => new Date(time).toISOString();
export const epoch = (time: string): EpochMs => asEpochMs(Date.parse(time));

export const sha256 = (text: string): string => Bun.CryptoHasher.hash('sha256', text, 'hex');

/** Appends a record to the chain, behind the record with the hash `prev`. */
export function chainRecord(record: UnchainedRecord<LogRecord>, n: number, prev: string): StoredRecord {
  const text = canonicalJson({ ...record, n, prev });
  return { n, hash: sha256(text), text };
}

export const parseRecord = <R extends LogRecord>({ text }: StoredRecord): R => JSON.parse(text) as R;

export const toWireEvidence = (evidence: Decided): Evidence => ({ ...evidence, time: iso(evidence.time) });
export const toWireQuote = (quote: QuoteEvidence) => ({ ...quote, time: iso(quote.time) });
export const fromWireEvidence = (evidence: Evidence): Decided => ({ ...evidence, time: epoch(evidence.time) });

/** How a record about a signal is announced; `null` if it is not. */
export const STREAM_OF: Readonly<Record<string, SignalStream | null>> = {
  published: 'published',
  filled: 'filled',
  exited: 'changed',
  amended: 'changed',
  close_requested: null,
  closed: 'closed',
  voided: 'closed',
};
