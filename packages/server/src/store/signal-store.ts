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

/** The kinds of messages that announce records. */
export const SIGNAL_STREAMS = ['published', 'filled', 'changed', 'closed'] as const;
export type SignalStream = (typeof SIGNAL_STREAMS)[number];

/** A record about a signal. */
export interface SignalRecordRow {
  readonly n: number;
  /** Id of the signal. */
  readonly id: string;
  /** How it is announced; `null` if it is not. */
  readonly stream: SignalStream | null;
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
  readonly note: string | null;
  readonly idempotency: { readonly key: string; readonly bodyHash: Uint8Array } | null;
}

export interface ClosedRow {
  readonly id: string;
  readonly n: number;
  /** R for ranking: the risk is at least ten spreads of the accepted quote. */
  readonly rankR: number;
  /** Time of the deciding tick: the last day of tape the signal needs. */
  readonly decidedAt: number;
}

/** The fill of a pending signal: at most one, before it closes. */
export interface FillRow {
  readonly id: string;
  readonly filledAt: number;
}

/** A signal that an operator voided: at most once, active or closed. */
export interface VoidedRow {
  readonly id: string;
  readonly n: number;
  readonly at: number;
}

/** The signing key of a publisher from record `n` on. */
export interface SigningKeyRow {
  readonly publisher: string;
  /** Hex; `null` if it was removed. */
  readonly publicKey: string | null;
  readonly n: number;
}

/** A signed request that was accepted: requests that were signed earlier are not accepted any more. */
export interface SignedRow {
  readonly publisher: string;
  readonly signedAt: number;
}

export interface StoredSigningKey extends SigningKeyRow {
  /** When the newest accepted request was signed; 0 if there was none. */
  readonly signedAt: number;
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
  /** Which of them are about signals. */
  readonly ofSignals: readonly SignalRecordRow[];
  readonly published: readonly PublishedRow[];
  readonly fills: readonly FillRow[];
  readonly closed: readonly ClosedRow[];
  readonly voided: readonly VoidedRow[];
  readonly signingKeys: readonly SigningKeyRow[];
  readonly signed: readonly SignedRow[];
  readonly gaps: readonly GapRow[];
  /** Days of tape sealed by these records. */
  readonly sealed: readonly SealedRow[];
  /** Everything decided by ticks up to this seq is stored. */
  readonly judgedUntil: number;
}

export const NO_SIGNAL_CHANGES = {
  records: [],
  ofSignals: [],
  published: [],
  fills: [],
  closed: [],
  voided: [],
  signingKeys: [],
  signed: [],
  gaps: [],
  sealed: [],
} as const satisfies Omit<SignalWrite, 'judgedUntil'>;

export interface StoredSignal {
  readonly id: string;
  readonly published: StoredRecord;
  /** `null` while it is active, and if it was voided before it closed. */
  readonly closed: StoredRecord | null;
  readonly voided: StoredRecord | null;
  readonly note: string | null;
  /** As in ClosedRow; `null` while it is active. */
  readonly rankR: number | null;
}

/** A record that is announced, with the publication of its signal. */
export interface StoredSignalEvent {
  readonly stream: SignalStream;
  readonly record: StoredRecord;
  readonly published: StoredRecord;
  /** The closing of the signal, if there is one by now. */
  readonly closed: StoredRecord | null;
}

/** Numbers of the last records about an instrument, by stream; 0 if there is none (record 0 is always the opening record). */
export type LastEventNumbers = Readonly<Record<SignalStream, number>>;

/** What the store keeps of a signal beside the log. */
export interface SignalRow {
  readonly id: string;
  /** Number of the publishing record. */
  readonly publishedN: number;
  readonly publisher: string;
  readonly symbol: MarketSymbol;
  readonly publishedAt: number;
  readonly filledAt: number | null;
  /** Number of the closing record, or of the void of an active signal. `null` while it is active, like `rankR`. */
  readonly closedN: number | null;
  readonly rankR: number | null;
  readonly voided: boolean;
}

export interface SignalListQuery {
  readonly status: 'active' | 'closed' | 'all';
  readonly symbol?: string;
  readonly publisher?: string;
  /** Only signals published by a record before this one. */
  readonly beforeN?: number;
  readonly limit: number;
}

/** The signals as of one record. */
export interface SignalSnapshot {
  /** Number of the newest record; −1 if there is none. */
  readonly n: number;
  /** In order of publication. */
  readonly active: readonly StoredSignal[];
  /** The newest signals, active or not, newest first. */
  readonly newest: readonly StoredSignal[];
}

export interface SignalStore {
  /**
   * Throws a StaleLogError if the first record does not follow the last stored one, and a StoreError if it fills a
   * signal that is not pending, closes one that is not active or voids one twice. Nothing is written then. One write may
   * publish, fill and close the same signal.
   */
  write(write: SignalWrite): Promise<void>;
  /** The newest record. */
  tail(): Promise<StoredRecord | undefined>;
  /** Never decreases; 0 if nothing was judged yet. */
  judgedUntil(): Promise<number>;
  /** Records after number `after` (−1: from the first), ascending. */
  log(after: number, limit: number): Promise<StoredRecord[]>;
  /** Records about signals by id, in log order. Unknown ids are left out. */
  records(ids: readonly string[]): Promise<ReadonlyMap<string, readonly StoredRecord[]>>;
  /** Records that are announced, after record number `after`, in log order. */
  events(after: number, limit: number): Promise<StoredSignalEvent[]>;
  /** Last records about each instrument, up to record number `until`. */
  lastEventNumbers(symbols: readonly string[], until: number): Promise<ReadonlyMap<string, LastEventNumbers>>;
  /** In order of publication. */
  active(): Promise<StoredSignal[]>;
  /** All active signals and the `limit` newest ones. */
  snapshot(limit: number): Promise<SignalSnapshot>;
  signal(id: string): Promise<StoredSignal | undefined>;
  /** Newest publication first. */
  list(query: SignalListQuery): Promise<StoredSignal[]>;
  /** The publication made with this key since `since`, if any. */
  byIdempotencyKey(
    publisher: string,
    key: string,
    since: number,
  ): Promise<{ readonly signal: StoredSignal; readonly bodyHash: Uint8Array } | undefined>;
  /** Of all signals, in order of publication. */
  rows(): Promise<SignalRow[]>;
  /** The number of signals published since `time`, by publisher. */
  publishedSince(time: number): Promise<Map<string, number>>;
  /** The number of voided signals. */
  voids(): Promise<number>;
  /** Also of publishers that removed theirs. */
  signingKeys(): Promise<StoredSigningKey[]>;
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
