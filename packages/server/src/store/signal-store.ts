// The signal log and the rows used to query it. Records are stored as canonical JSON, byte for byte as they were
// hashed. All rows follow from the log, and `tickwire verify` checks that they agree. Times are milliseconds since
// 1970.
import type { MarketSymbol } from '@tickwire/engine';
import { StoreError } from '../errors/store-error.ts';

/** The append did not follow the last record, because another writer was faster. Nothing of it is stored. */
export class StaleLogError extends StoreError {
  override name = 'StaleLogError';
}

/** A stored record of the log. */
export interface StoredRecord {
  readonly n: number;
  readonly hash: string;
  /** Canonical JSON. */
  readonly text: string;
}

export interface PublishedRow {
  readonly id: string;
  /** Public id of the publisher's account. */
  readonly publisher: string;
  readonly symbol: MarketSymbol;
  /** Number of the record. */
  readonly n: number;
  /** When it was published. */
  readonly at: number;
  /** Time of the accepted quote: the first day of tape the signal needs. */
  readonly quoteAt: number;
  /** When it filled; `null` while the entry is pending. */
  readonly filledAt: number | null;
  readonly note: string | null;
  readonly idempotency: { readonly key: string; readonly bodyHash: Uint8Array } | null;
}

/** The outcome of a signal, as track records need it. */
export interface ClosedRow {
  readonly id: string;
  readonly n: number;
  readonly closedAt: number;
  /** Time of the deciding tick: the last day of tape the signal needs. */
  readonly decidedAt: number;
  readonly reason: string;
  readonly pnlR: number;
  /** False if it is displayed but not ranked: it has a gap or is self-sourced. */
  readonly ranked: boolean;
}

/** The fill of a pending signal: at most one, before it closes. */
export interface FillRow {
  readonly id: string;
  readonly filledAt: number;
  /** JSON of the price and the evidence, to restore the signal after a restart. */
  readonly fill: string;
}

export interface GapRow {
  readonly symbol: MarketSymbol;
  readonly seq: number;
  readonly from: number;
  readonly to: number;
}

/** A day of an instrument's tape, sealed by record `n`. */
export interface SealedRow {
  readonly day: string;
  readonly symbol: MarketSymbol;
  readonly n: number;
}

/** Written in one transaction. */
export interface SignalWrite {
  /** Consecutive; the first follows the last stored record. */
  readonly records: readonly StoredRecord[];
  readonly published: readonly PublishedRow[];
  readonly fills: readonly FillRow[];
  readonly closed: readonly ClosedRow[];
  readonly gaps: readonly GapRow[];
  /** Days of tape sealed by these records. */
  readonly sealed: readonly SealedRow[];
  /** Everything decided by ticks up to this seq is stored. */
  readonly judgedUntil: number;
}

export interface StoredSignal {
  readonly id: string;
  readonly published: StoredRecord;
  readonly closed: StoredRecord | null;
  readonly note: string | null;
  /** As in FillRow; `null` for market entries and if it never filled. */
  readonly fill: string | null;
}

/** A publication, or a closing with its publication. */
export interface StoredSignalEvent {
  readonly published: StoredRecord;
  /** `null` for a publication. */
  readonly closed: StoredRecord | null;
  /** For a closing: when the signal filled; `null` if it never did. */
  readonly filledAt: number | null;
}

/** Numbers of the last records about an instrument; 0 if there is none (record 0 is always the opening record). */
export interface LastEventNumbers {
  readonly published: number;
  /** Published or closed. */
  readonly any: number;
}

export interface StoredOutcome {
  readonly id: string;
  /** Number of the publishing record. */
  readonly publishedN: number;
  readonly publisher: string;
  readonly symbol: MarketSymbol;
  readonly publishedAt: number;
  readonly filledAt: number | null;
  /** Number of the closing record. `null` while the signal is active, like the fields below. */
  readonly closedN: number | null;
  readonly closedAt: number | null;
  readonly reason: string | null;
  readonly pnlR: number | null;
  /** As in ClosedRow; true while it is active. */
  readonly ranked: boolean;
}

export interface SignalListQuery {
  readonly status: 'active' | 'closed' | 'all';
  readonly symbol?: string;
  readonly publisher?: string;
  /** Only signals published by a record before this one. */
  readonly beforeN?: number;
  readonly limit: number;
}

export interface SignalStore {
  /**
   * Throws a StaleLogError if the first record does not follow the last stored one, and a StoreError if it fills a
   * signal that is not pending or closes one that is not active. Nothing is written then. One write may publish, fill
   * and close the same signal.
   */
  write(write: SignalWrite): Promise<void>;
  /** The newest record. */
  tail(): Promise<StoredRecord | undefined>;
  /** Never decreases; 0 if nothing was judged yet. */
  judgedUntil(): Promise<number>;
  /** Records after number `after` (−1: from the first), ascending. */
  log(after: number, limit: number): Promise<StoredRecord[]>;
  /** Publications and closings after record number `after`, in log order. */
  events(after: number, limit: number): Promise<StoredSignalEvent[]>;
  /** Last records about each instrument, up to record number `until`. */
  lastEventNumbers(symbols: readonly string[], until: number): Promise<ReadonlyMap<string, LastEventNumbers>>;
  /** In order of publication. */
  active(): Promise<StoredSignal[]>;
  signal(id: string): Promise<StoredSignal | undefined>;
  /** Newest publication first. */
  list(query: SignalListQuery): Promise<StoredSignal[]>;
  /** The publication made with this key since `since`, if any. */
  byIdempotencyKey(
    publisher: string,
    key: string,
    since: number,
  ): Promise<{ readonly signal: StoredSignal; readonly bodyHash: Uint8Array } | undefined>;
  /** All signals, in order of publication. */
  outcomes(): Promise<StoredOutcome[]>;
  /** Of signals that have one. */
  notes(): Promise<{ readonly id: string; readonly note: string }[]>;
  gaps(): Promise<GapRow[]>;
  /** Deletes gaps up to this seq: no active signal is older. */
  forgetGaps(seq: number): Promise<void>;
  /**
   * UTC days (2026-03-02) a signal was judged on and whose tape is not sealed yet; for active signals up to `until`.
   * Ascending by day, then by symbol.
   */
  unsealed(until: number): Promise<{ readonly day: string; readonly symbol: MarketSymbol }[]>;
  /** The seals of an instrument for the days from `first` to `last` (2026-03-02, inclusive), ascending. */
  seals(symbol: string, first: string, last: string): Promise<StoredRecord[]>;
}
