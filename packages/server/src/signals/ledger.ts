// The only writer of the signal log. Publications and verdicts are queued in order. Each batch is chained and written
// in one transaction; only then are journal and callers notified. The tape is written first: the ticks that decided a
// record are stored before the record.
//
// While the store cannot write, publications are rejected. Verdicts stay queued, because they have already happened.
// Each active signal has at most one fill and one closing, so the queue is bounded by the number of active signals.
import { randomBytes } from 'node:crypto';
import {
  type LogHead,
  type LogRecord,
  NO_HASH,
  type OpenedRecord,
  RULES_VERSION,
  type TapeSeal,
} from '@tickwire/contract';
import { StoreError } from '../errors/store-error.ts';
import type { Log } from '../ops/log.ts';
import type { ClosedRow, FillRow, GapRow, PublishedRow, SignalStore, StoredRecord } from '../store/signal-store.ts';
import { signHead } from './head.ts';
import type { LogKey } from './log-key.ts';
import { chainRecord, iso, parseRecord, type UnchainedRecord } from './log-records.ts';
import type { SealedDay } from './seal-tape.ts';

/** Records per transaction, which blocks the event loop while it runs. */
const BATCH = 1_000;
const RETRY_MS = 500;

/** An entry of the queue. `seq` is that of the event that decided it. */
export interface LedgerItem {
  readonly seq: number;
  readonly record?: UnchainedRecord<LogRecord>;
  readonly published?: Omit<PublishedRow, 'n'>;
  readonly closed?: Omit<ClosedRow, 'n'>;
  readonly fill?: FillRow;
  readonly gap?: GapRow;
  readonly sealed?: { readonly day: string; readonly symbol: GapRow['symbol'] };
  /** Called with the stored record once it is written. */
  readonly onWritten?: (record: StoredRecord | null) => void;
  /** Called if the item was not written and is dropped. Without it, the item is retried until it is written. */
  readonly onFailed?: (error: Error) => void;
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
  readonly now: () => number;
  readonly log: Log;
}

export class Ledger {
  /** Name of the log; never changes. */
  readonly name: string;
  /** Set while the store cannot write. */
  failure: Error | null = null;
  readonly #options: LedgerOptions;
  #tail: StoredRecord;
  #headAt: number;
  #queue: LedgerItem[] = [];
  #running: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #head: LogHead | null = null;
  #marked = 0;
  #stopped = false;

  private constructor(options: LedgerOptions, name: string, tail: StoredRecord) {
    this.#options = options;
    this.name = name;
    this.#tail = tail;
    this.#headAt = options.headAt ?? 0;
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
      await store.write({ ...NOTHING, records: [record], judgedUntil: 0 });
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

  /** Time of the newest signed head, in milliseconds since 1970: no record after it may be older. */
  get headAt(): number {
    return this.#headAt;
  }

  /** A head is not older than its last record, even if the clock was set back. */
  head(): LogHead {
    const { n, hash } = this.#tail;
    if (this.#head?.n !== n || this.#head.hash !== hash) {
      const { at } = parseRecord<LogRecord>(this.#tail);
      this.#headAt = Math.max(this.#options.now(), this.#headAt, Date.parse(at));
      this.#head = signHead(this.#options.key, this.name, { n, hash }, this.#headAt);
    }
    return this.#head;
  }

  add(item: LedgerItem): void {
    if (this.#stopped) {
      item.onFailed?.(new StoreError('the signal log is closed'));
      return;
    }
    this.#queue.push(item);
    this.#start();
  }

  /** Appends the seal of a day of the tape. */
  seal({ day, symbol, ticks, sha256 }: SealedDay): Promise<void> {
    const record: UnchainedRecord<TapeSeal> = {
      type: 'tape',
      rules: RULES_VERSION,
      at: iso(this.#options.now()),
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
    await store.write({ ...NOTHING, records: [], judgedUntil: seq });
    this.#marked = seq;
  }

  async #run(): Promise<void> {
    // Items added in the same turn go into the same batch.
    await Promise.resolve();
    try {
      // After a failure, also with an empty queue: the recovery of the store must be noticed without a publication.
      while (this.#queue.length > 0 || this.failure) {
        const batch = this.#queue.slice(0, BATCH);
        try {
          await this.#write(batch);
        } catch (error) {
          this.#failBatch(batch, error as Error);
          return;
        }
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

  async #write(batch: readonly LedgerItem[]): Promise<void> {
    const { store, flushTape, judgedSeq, log } = this.#options;
    const rest = this.#queue.slice(batch.length);
    // Items behind the batch were decided later: if they are never written, their events must be judged again.
    const judgedUntil = Math.min(judgedSeq(), ...rest.map(({ seq }) => seq - 1));
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
      published: numbered(({ published }) => published),
      closed: numbered(({ closed }) => closed),
      sealed: numbered(({ sealed }) => sealed),
      fills: batch.flatMap(({ fill }) => fill ?? []),
      gaps: batch.flatMap(({ gap }) => gap ?? []),
      judgedUntil,
    });
    this.#tail = tail;
    this.#marked = judgedUntil;
    this.#queue.splice(0, batch.length);
    if (this.failure) log.info('the signal log is writable again', { waiting: this.#queue.length });
    this.failure = null;
    batch.forEach(({ onWritten }, index) => {
      try {
        onWritten?.(records[index]!);
      } catch (error) {
        log.error('a listener of the signal log failed', { error });
      }
    });
  }

  #failBatch(batch: readonly LedgerItem[], error: Error): void {
    if (!this.failure) this.#options.log.error('the signal log is not writable; closings stay queued', { error });
    this.failure = error;
    const failed = new Set(batch.filter(({ onFailed }) => onFailed));
    const cancelled = new Set([...failed].map(({ published }) => published?.id).filter((id) => id !== undefined));
    this.#queue = this.#queue.filter(
      (item) => !failed.has(item) && !cancelled.has(item.closed?.id ?? item.fill?.id ?? ''),
    );
    for (const { onFailed } of failed) onFailed!(error);
  }
}

const NOTHING = { published: [], closed: [], sealed: [], fills: [], gaps: [] } as const;
