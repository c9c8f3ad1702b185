// The only writer of the signal log. Records are queued in order. Each batch is chained and written in one transaction; only
// then are journal and callers notified. The tape is written first: the ticks that decided a record are stored before the
// record.
//
// While the store cannot write, publications are rejected. Everything else stays queued, because it has already happened:
// verdicts, and amendments and requests that are in force. Their number per active signal is limited, and so is the queue.
import { randomBytes } from 'node:crypto';
import {
  iso,
  type LogHead,
  type LogRecord,
  NO_HASH,
  type OpenedRecord,
  RULES_VERSION,
  type TapeSeal,
} from '@tickwire/contract';
import { asEpochMs, type EpochMs } from '@tickwire/engine';
import { StoreError } from '../errors/store-error.ts';
import type { Log } from '../ops/log.ts';
import { pauses } from '../ops/pauses.ts';
import {
  type ClosedRow,
  type FillRow,
  type GapRow,
  NO_SIGNAL_CHANGES,
  type PublishedRow,
  type SignalRecordRow,
  type SignalStore,
  type SignedRow,
  type SigningKeyRow,
  type StoredRecord,
  type VoidedRow,
} from '../store/signal-store.ts';
import { signHead } from './head.ts';
import type { LogKey } from './log-key.ts';
import { chainRecord, epoch, parseRecord, STREAM_OF, type UnchainedRecord } from './log-records.ts';
import type { SealedDay } from './seal-tape.ts';

/** Records per transaction, which blocks the event loop while it runs: about 10 ms. */
const BATCH = 250;
const RETRY_MS = 500;
/** A head that is served is not older than this: it shows that the log had no further record at its time. */
const HEAD_MS = 60_000;

/** An entry of the queue. `seq` is that of the event that decided it; infinite if none did. */
export interface LedgerItem {
  readonly seq: number;
  readonly record?: UnchainedRecord<LogRecord>;
  readonly published?: Omit<PublishedRow, 'n'>;
  readonly closed?: Omit<ClosedRow, 'n'>;
  readonly voided?: Omit<VoidedRow, 'n'>;
  readonly fill?: FillRow;
  readonly signingKey?: Omit<SigningKeyRow, 'n'>;
  readonly signed?: SignedRow | null;
  readonly gap?: GapRow;
  readonly sealed?: { readonly day: string; readonly symbol: GapRow['symbol'] };
  /** Called with the stored record once it is written. */
  readonly onWritten?: (record: StoredRecord | null) => void;
  /** Called if the item was not written and is dropped. Without it, the item is retried until it is written. */
  readonly onFailed?: (error: Error) => void;
}

/**
 * A verdict, which becomes an item when its turn comes: a tick that closes thousands of signals must not hold up the next one.
 * It stays queued until it is written.
 */
export interface QueuedVerdict {
  readonly seq: number;
  /** Time of its record. */
  readonly at: EpochMs;
  /** Id of its signal. */
  readonly signal: string;
  readonly toItem: () => LedgerItem;
}

export interface LedgerOptions {
  readonly store: SignalStore;
  readonly key: LogKey;
  readonly realm: OpenedRecord['realm'];
  /** Writes everything that happened so far to the tape; rejects if it cannot be written. */
  readonly flushTape: () => Promise<void>;
  /** seq of the newest event that was judged. */
  readonly judgedSeq: () => number;
  /** Time of the newest head that was kept, in milliseconds since 1970. Default: there is none. */
  readonly headAt?: number;
  /** Market time. */
  readonly now: () => number;
  readonly log: Log;
}

export class Ledger {
  /** Name of the log; never changes. */
  readonly name: string;
  /** Set while the store cannot write. */
  failure: Error | null = null;
  readonly #options: LedgerOptions;
  #tail: { readonly n: number; readonly hash: string };
  /** The newest time that was issued. */
  #issued: EpochMs;
  #queue: (LedgerItem | QueuedVerdict)[] = [];
  #running: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #head: LogHead | null = null;
  #marked = 0;
  #stopped = false;

  private constructor(options: LedgerOptions, name: string, tail: StoredRecord) {
    this.#options = options;
    this.name = name;
    this.#tail = tail;
    this.#issued = asEpochMs(Math.max(epoch(parseRecord(tail).at), options.headAt ?? 0));
  }

  /** Opens the log, or creates it. */
  static async open(options: LedgerOptions): Promise<Ledger> {
    const { store, key, realm, now } = options;
    const [first] = await store.log(-1, 1);
    const tail = await store.tail();
    if (!first || !tail) {
      const name = `log_${randomBytes(8).toString('hex')}`;
      const opened: UnchainedRecord<OpenedRecord> = {
        type: 'opened',
        rules: RULES_VERSION,
        at: iso(now()),
        log: name,
        realm,
        public_key: key.publicKey,
      };
      const record = chainRecord(opened, 0, NO_HASH);
      await store.write({ ...NO_SIGNAL_CHANGES, records: [record], judgedUntil: 0 });
      return new Ledger(options, name, record);
    }
    const { log, public_key } = parseRecord<OpenedRecord>(first);
    if (public_key !== key.publicKey) {
      throw new StoreError(
        'log-key.pem is not the key this signal log was created with: restore it from a backup, so that heads stay verifiable',
      );
    }
    return new Ledger(options, log, tail);
  }

  /** Number of records. */
  get length(): number {
    return this.#tail.n + 1;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** The time of a record (L2): never earlier than that of the one before. Add the record before anything else asks. */
  timestamp(): EpochMs {
    this.#issued = asEpochMs(Math.max(Math.floor(this.#options.now()), this.#issued));
    return this.#issued;
  }

  /** Its time is not after that of a record that waits to be written behind it. */
  head(): LogHead {
    const { n, hash } = this.#tail;
    const isOld = this.#head !== null && this.#options.now() - epoch(this.#head.at) >= HEAD_MS;
    if (this.#head?.n !== n || this.#head.hash !== hash || isOld) {
      const waiting = this.#queue.find((item) => timeOf(item) !== null);
      const at = (waiting && timeOf(waiting)) ?? this.timestamp();
      this.#head = signHead(this.#options.key, this.name, { n, hash }, at);
    }
    return this.#head;
  }

  add(item: LedgerItem | QueuedVerdict): void {
    if (this.#stopped) {
      if (!isVerdict(item)) item.onFailed?.(new StoreError('the signal log is closed'));
      return;
    }
    this.#queue.push(item);
    this.#start();
  }

  /** Queues an item that stays queued until it is written. Resolves with the number of its record then. */
  record(item: Omit<LedgerItem, 'onFailed'>): Promise<number> {
    return new Promise((resolve) =>
      this.add({
        ...item,
        onWritten: (stored) => {
          item.onWritten?.(stored);
          resolve(stored!.n);
        },
      }),
    );
  }

  /** Appends the seal of a day of the tape. */
  seal({ day, symbol, ticks, sha256 }: SealedDay): Promise<void> {
    const record: UnchainedRecord<TapeSeal> = {
      type: 'tape',
      rules: RULES_VERSION,
      at: iso(this.timestamp()),
      day,
      symbol,
      ticks,
      sha256,
    };
    return new Promise((resolve, reject) =>
      this.add({
        seq: Number.POSITIVE_INFINITY,
        record,
        sealed: { day, symbol },
        onWritten: () => resolve(),
        onFailed: reject,
      }),
    );
  }

  /** Resolves when everything queued now is written or has failed. */
  async drain(): Promise<void> {
    await this.#running;
  }

  /**
   * Waits like `drain`, then retries nothing more: the store may be closed. What is still queued is judged again after a restart;
   * an item added later fails.
   */
  async stop(): Promise<void> {
    await this.drain();
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** Stores how far signals were judged, unless a batch just did: a restart resumes from there. */
  async markJudged(): Promise<void> {
    const { store, judgedSeq } = this.#options;
    const seq = judgedSeq();
    if (this.#running || this.#queue.length > 0 || seq === this.#marked) return;
    await store.write({ ...NO_SIGNAL_CHANGES, judgedUntil: seq });
    this.#marked = seq;
  }

  async #run(): Promise<void> {
    // Requests that arrived together go into the same batch: one sync of the disk stores all of them.
    await nextTurn();
    try {
      // After a failure, also with an empty queue: the recovery of the store must be noticed without a publication.
      while (this.#queue.length > 0 || this.failure) {
        const batch = this.#nextBatch();
        try {
          await this.#write(batch);
        } catch (error) {
          this.#failBatch(batch, error as Error);
          return;
        }
        if (this.#queue.length > 0) await nextTurn();
      }
    } finally {
      this.#running = null;
      if (this.#queue.length > 0 || this.failure) this.#retry();
    }
  }

  /** One timer, however many publications fail. */
  #retry(): void {
    if (this.#stopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#start();
    }, RETRY_MS).unref();
  }

  #start(): void {
    if (this.#queue.length > 0 || this.failure) this.#running ??= this.#run();
  }

  #nextBatch(): LedgerItem[] {
    const batch = this.#queue.slice(0, BATCH).map((item) => (isVerdict(item) ? item.toItem() : item));
    // In the queue as well, because a batch that fails is written again.
    for (const [at, item] of batch.entries()) this.#queue[at] = item;
    return batch;
  }

  async #write(batch: readonly LedgerItem[]): Promise<void> {
    const { store, flushTape, judgedSeq, log } = this.#options;
    // Items behind the batch were decided later: if they are never written, their events must be judged again.
    let judgedUntil = judgedSeq();
    for (let at = batch.length; at < this.#queue.length; at++)
      judgedUntil = Math.min(judgedUntil, this.#queue[at]!.seq - 1);
    let tail = this.#tail;
    const records = batch.map(({ record }) => {
      if (!record) return null;
      const stored = chainRecord(record, tail.n + 1, tail.hash);
      tail = stored;
      return stored;
    });
    const numbered = <R>(read: (item: LedgerItem) => R | undefined): (R & { readonly n: number })[] =>
      batch.flatMap((item, index) => {
        const row = read(item);
        return row === undefined ? [] : [{ ...row, n: records[index]!.n }];
      });
    await flushTape();
    await store.write({
      records: records.filter((record) => record !== null),
      ofSignals: numbered(({ record }) => aboutSignal(record)),
      published: numbered(({ published }) => published),
      closed: numbered(({ closed }) => closed),
      voided: numbered(({ voided }) => voided),
      signingKeys: numbered(({ signingKey }) => signingKey),
      sealed: numbered(({ sealed }) => sealed),
      fills: batch.flatMap(({ fill }) => fill ?? []),
      signed: batch.flatMap(({ signed }) => signed ?? []),
      gaps: batch.flatMap(({ gap }) => gap ?? []),
      judgedUntil,
    });
    this.#tail = tail;
    this.#marked = judgedUntil;
    this.#queue.splice(0, batch.length);
    if (this.failure) log.info('the signal log is writable again', { waiting: this.#queue.length });
    this.failure = null;
    const pause = pauses();
    for (const [index, { onWritten }] of batch.entries()) {
      const paused = pause();
      if (paused) await paused;
      try {
        onWritten?.(records[index]!);
      } catch (error) {
        log.error('a listener of the signal log failed', { error });
      }
    }
  }

  #failBatch(batch: readonly LedgerItem[], error: Error): void {
    if (!this.failure) this.#options.log.error('the signal log is not writable; closings stay queued', { error });
    this.failure = error;
    const failed = batch.filter(({ onFailed }) => onFailed);
    const dropped = new Set<LedgerItem | QueuedVerdict>(failed);
    const cancelled = new Set(failed.map(({ published }) => published?.id).filter((id) => id !== undefined));
    this.#queue = this.#queue.filter((item) => !dropped.has(item) && !cancelled.has(signalOf(item) ?? ''));
    for (const { onFailed } of failed) onFailed!(error);
  }
}

const isVerdict = (item: LedgerItem | QueuedVerdict): item is QueuedVerdict => 'toItem' in item;

/** The time of its record; `null` if it has none. */
function timeOf(item: LedgerItem | QueuedVerdict): EpochMs | null {
  if (isVerdict(item)) return item.at;
  return item.record ? epoch(item.record.at) : null;
}

const signalOf = (item: LedgerItem | QueuedVerdict): string | undefined =>
  isVerdict(item) ? item.signal : aboutSignal(item.record)?.id;

/** Lets ticks and requests that have arrived meanwhile go first. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const aboutSignal = (record: LedgerItem['record']): Omit<SignalRecordRow, 'n'> | undefined =>
  record && 'signal' in record ? { id: record.signal as string, stream: STREAM_OF[record.type] ?? null } : undefined;
