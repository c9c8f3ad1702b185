// Records of the signal log as text: hashing, chaining and parsing, and the conversion of times and evidence between the engine
// (milliseconds) and the records (ISO 8601).
import { canonicalJson, type Evidence, iso, type LogRecord } from '@tickwire/contract';
import { asEpochMs, type Evidence as Decided, type EpochMs, type QuoteEvidence } from '@tickwire/engine';
import { sha256Hex } from '../ops/sha256.ts';
import type { SignalStream, StoredRecord } from '../store/signal-store.ts';

/** A record before it is chained. */
export type UnchainedRecord<R extends LogRecord> = R extends LogRecord ? Omit<R, 'n' | 'prev'> : never;

const twoDigits = (text: string, at: number): number => 10 * text.charCodeAt(at) + text.charCodeAt(at + 1) - 11 * 0x30;

/** The last day that `epoch` computed, as the number YYYYMMDD, and its start in milliseconds since 1970. */
let [knownDay, knownDayStart] = [0, 0];

/**
 * A time of a record, in milliseconds since 1970. Much faster than Date.parse, because the format is known and most times are of
 * the same day as the one before.
 */
export function epoch(text: string): EpochMs {
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  if (year < 1970) return asEpochMs(Date.parse(text));
  const [month, date] = [twoDigits(text, 5), twoDigits(text, 8)];
  const day = 10_000 * year + 100 * month + date;
  if (day !== knownDay) {
    knownDay = day;
    knownDayStart = Date.UTC(year, month - 1, date);
  }
  const seconds = 3_600 * twoDigits(text, 11) + 60 * twoDigits(text, 14) + twoDigits(text, 17);
  return asEpochMs(knownDayStart + 1_000 * seconds + 10 * twoDigits(text, 20) + text.charCodeAt(22) - 0x30);
}

/** Appends a record to the chain, behind the record with the hash `prev`. */
export function chainRecord(record: UnchainedRecord<LogRecord>, n: number, prev: string): StoredRecord {
  const text = canonicalJson({ ...record, n, prev });
  return { n, hash: sha256Hex(text), text };
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
