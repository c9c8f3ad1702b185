// The signal log and what is looked up in it. Records are kept as their canonical JSON, byte for byte what was hashed;
// everything beside the log can be worked out from it again, and `tickwire verify` checks that it agrees.
import type { MarketSymbol } from '@tickwire/engine';
import { StoreError } from './store.ts';

/** An append by a writer that has not seen the last record: another was faster. Nothing of it is stored. */
export class StaleLogError extends StoreError {
  override name = 'StaleLogError';
}

/** A record of the log as it is stored. */
export interface StoredRecord {
  readonly n: number;
  readonly hash: string;
  /** Canonical JSON. */
  readonly text: string;
}

export interface PublishedRow {
  readonly id: string;
  /** Public id of the account. */
  readonly publisher: string;
  readonly symbol: MarketSymbol;
  /** Number of the record. */
  readonly n: number;
  /** Milliseconds. */
  readonly at: number;
  /** Time of the quote it was accepted against: the first day of tape it needs. */
  readonly quoteAt: number;
  /** When it filled; null while the entry is pending. */
  readonly filledAt: number | null;
  readonly note: string | null;
  readonly idempotency: { readonly key: string; readonly bodyHash: Uint8Array } | null;
}

/** What became of a signal, as track records need it. */
export interface ClosedRow {
  readonly id: string;
  readonly n: number;
  readonly closedAt: number;
  /** Time of the tick that decided: the last day of tape it needs. */
  readonly decidedAt: number;
  readonly reason: string;
  readonly pnlR: number;
  /** False where it is shown but not ranked: a gap, or self-sourced. */
  readonly ranked: boolean;
}

/** A pending signal filled: once, and before it is closed. */
export interface FillRow {
  readonly id: string;
  readonly filledAt: number;
  /** JSON of the price and the evidence, for taking up again. */
  readonly fill: string;
}

export interface GapRow {
  readonly symbol: MarketSymbol;
  readonly seq: number;
  readonly from: number;
  readonly to: number;
}

/** A day of an instrument's tape that was sealed by record `n`. */
export interface SealedRow {
  readonly day: string;
  readonly symbol: MarketSymbol;
  readonly n: number;
}

/** What is written at once, all of it or nothing of it. */
export interface SignalWrite {
  /** Consecutive, the first following the last one stored. */
  readonly records: readonly StoredRecord[];
  readonly published: readonly PublishedRow[];
  readonly fills: readonly FillRow[];
  readonly closed: readonly ClosedRow[];
  readonly gaps: readonly GapRow[];
  /** Days of tape that were sealed. */
  readonly sealed: readonly SealedRow[];
  /** Everything that ticks up to this seq decided is stored. */
  readonly judgedUntil: number;
}

export interface StoredSignal {
  readonly id: string;
  readonly published: StoredRecord;
  readonly closed: StoredRecord | null;
  readonly note: string | null;
  /** As in FillRow; null where it never filled, and for market entries. */
  readonly fill: string | null;
}

/** A publication, or a closing with the publication it ends. */
export interface Announced {
  readonly published: StoredRecord;
  /** Null where it is the publication that is told. */
  readonly closed: StoredRecord | null;
  /** Of a closing: when the signal had filled; null where it never did. */
  readonly filledAt: number | null;
}

/** Numbers of the last records about an instrument, 0 where there is none: the log begins with another record. */
export interface LastAnnounced {
  readonly published: number;
  /** Published or closed. */
  readonly any: number;
}

export interface Outcome {
  readonly id: string;
  /** Number of the record that published it. */
  readonly publishedN: number;
  readonly publisher: string;
  readonly symbol: MarketSymbol;
  readonly publishedAt: number;
  readonly filledAt: number | null;
  /** Number of the record that closed it. Null while it is active; so are the rest. */
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
  /** Only those published by a record before this one. */
  readonly beforeN?: number;
  readonly limit: number;
}

export interface SignalStore {
  /**
   * Throws a StaleLogError, and writes nothing, where the first record does not follow the last one stored; a StoreError
   * where a signal is filled that is not pending, or one is closed that is not active. Published, filled and closed within one write is fine.
   */
  write(write: SignalWrite): Promise<void>;
  /** The newest record. */
  tail(): Promise<StoredRecord | undefined>;
  /** Never moves backwards; 0 where nothing was judged yet. */
  judgedUntil(): Promise<number>;
  /** Records after number `after` (−1: from the first), ascending. */
  log(after: number, limit: number): Promise<StoredRecord[]>;
  /** Publications and closings after record number `after`, in the order of the log. */
  announced(after: number, limit: number): Promise<Announced[]>;
  /** The last ones about each of the instruments, up to record number `until`. */
  lastAnnounced(symbols: readonly string[], until: number): Promise<ReadonlyMap<string, LastAnnounced>>;
  /** In the order they were published. */
  active(): Promise<StoredSignal[]>;
  signal(id: string): Promise<StoredSignal | undefined>;
  /** Newest published first. */
  list(query: SignalListQuery): Promise<StoredSignal[]>;
  /** The publication that came with this key since `since` (ms), if any. */
  byIdempotencyKey(
    publisher: string,
    key: string,
    since: number,
  ): Promise<{ readonly signal: StoredSignal; readonly bodyHash: Uint8Array } | undefined>;
  /** All signals, in the order they were published. */
  outcomes(): Promise<Outcome[]>;
  /** Of those that have one. */
  notes(): Promise<{ readonly id: string; readonly note: string }[]>;
  gaps(): Promise<GapRow[]>;
  /** Forgets gaps up to this seq: no active signal is older. */
  forgetGaps(seq: number): Promise<void>;
  /**
   * UTC days (2026-03-02) that a signal's life touches and whose tape is not sealed yet, up to `until` (ms) for active ones;
   * ascending by day, then by symbol.
   */
  unsealed(until: number): Promise<{ readonly day: string; readonly symbol: MarketSymbol }[]>;
  /** The seals of an instrument's days from `first` to `last` (2026-03-02, inclusive), ascending. */
  seals(symbol: string, first: string, last: string): Promise<StoredRecord[]>;
}
