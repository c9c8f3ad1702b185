// The one writer of the signal log. Publications and verdicts queue here in the order they came; each batch of them is
// chained, written in one transaction, and only then told to the journal and to whoever waits. The tape goes first: what
// decided a record is stored before the record is.
//
// While the store cannot write, publications are refused; verdicts wait, for they have happened: each active signal has at
// most one fill and one closing, so that the queue is bounded by the number of active signals.
import { randomBytes } from 'node:crypto';
import {
  type LogHead,
  type LogRecord,
  NO_HASH,
  type OpenedRecord,
  RULES_VERSION,
  type TapeSeal,
} from '@tickwire/contract';
import type { Log } from '../ops/log.ts';
import type { ClosedRow, FillRow, GapRow, PublishedRow, SignalStore, StoredRecord } from '../store/signal-store.ts';
import { StoreError } from '../store/store.ts';
import { signHead } from './head.ts';
import type { LogKey } from './log-key.ts';
import { chained, iso, recordOf, type Unchained } from './records.ts';
import type { SealedDay } from './seal.ts';

/** Records in one transaction: it holds up the event loop as long as it takes. */
const BATCH = 1_000;
const RETRY_MS = 500;

/** What waits to be written. `seq` is that of the event that decided it. */
export interface LedgerItem {
  readonly seq: number;
  readonly record?: Unchained<LogRecord>;
  readonly published?: Omit<PublishedRow, 'n'>;
  readonly closed?: Omit<ClosedRow, 'n'>;
  readonly fill?: FillRow;
  readonly gap?: GapRow;
  readonly sealed?: { readonly day: string; readonly symbol: GapRow['symbol'] };
  /** Told with the stored record once it is written. */
  readonly written?: (record: StoredRecord | null) => void;
  /** Told where it was not written and will not be. Without this it is tried again until it is. */
  readonly failed?: (error: Error) => void;
}

export interface LedgerOptions {
  readonly store: SignalStore;
  readonly key: LogKey;
  readonly realm: OpenedRecord['realm'];
  /** Everything that happened so far is on the tape when this resolves; it throws where the tape cannot be written. */
  readonly tapeWritten: () => Promise<void>;
  /** Number of the newest event that was judged. */
  readonly judgedSeq: () => number;
  readonly now: () => number;
  readonly log: Log;
}

export class Ledger {
  /** Name of the log, for as long as it lasts. */
  readonly name: string;
  /** Set while the store cannot write. */
  failure: Error | null = null;
  readonly #options: LedgerOptions;
  #tail: { readonly n: number; readonly hash: string };
  #queue: LedgerItem[] = [];
  #running: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #head: LogHead | null = null;
  #marked = 0;

  private constructor(options: LedgerOptions, name: string, tail: { readonly n: number; readonly hash: string }) {
    this.#options = options;
    this.name = name;
    this.#tail = tail;
  }

  /** Opens the log, or begins one. */
  static async open(options: LedgerOptions): Promise<Ledger> {
    const { store, key, realm, now } = options;
    const [first] = await store.log(-1, 1);
    const tail = await store.tail();
    if (!first || !tail) {
      const name = `log_${randomBytes(8).toString('hex')}`;
      const opened: Unchained<OpenedRecord> = {
        type: 'opened',
        rules: RULES_VERSION,
        at: iso(now()),
        log: name,
        realm,
        public_key: key.publicKey,
      };
      const record = chained(opened, 0, NO_HASH);
      await store.write({ ...NOTHING, records: [record], judgedUntil: 0 });
      return new Ledger(options, name, record);
    }
    const { log, public_key } = recordOf<OpenedRecord>(first);
    if (public_key !== key.publicKey) {
      throw new StoreError(
        'log-key.pem is not the key that the signal log began with: restore it from a backup, so that heads stay verifiable',
      );
    }
    return new Ledger(options, log, tail);
  }

  /** Records so far. */
  get length(): number {
    return this.#tail.n + 1;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  head(): LogHead {
    const { n, hash } = this.#tail;
    if (this.#head?.n !== n || this.#head.hash !== hash)
      this.#head = signHead(this.#options.key, this.name, { n, hash }, this.#options.now());
    return this.#head;
  }

  add(item: LedgerItem): void {
    this.#queue.push(item);
    this.#start();
  }

  /** Puts the seal of a day of the tape in the log. */
  seal({ day, symbol, ticks, sha256 }: SealedDay): Promise<void> {
    const record: Unchained<TapeSeal> = {
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
        written: () => resolve(),
        failed: reject,
      }),
    );
  }

  /** Resolves when everything that waits now is written, or cannot be. */
  async settle(): Promise<void> {
    await this.#running;
  }

  /** Notes how far was judged, where nothing else has written it lately: a restart takes up from there. */
  async mark(): Promise<void> {
    const { store, judgedSeq } = this.#options;
    const seq = judgedSeq();
    if (this.#running || this.#queue.length > 0 || seq === this.#marked) return;
    await store.write({ ...NOTHING, records: [], judgedUntil: seq });
    this.#marked = seq;
  }

  async #run(): Promise<void> {
    // What came in the same turn goes into the same batch.
    await Promise.resolve();
    try {
      // After a failure also with nothing to write: that the store works again must show without a publication.
      while (this.#queue.length > 0 || this.failure) {
        const batch = this.#queue.slice(0, BATCH);
        try {
          await this.#write(batch);
        } catch (error) {
          this.#refuse(batch, error as Error);
          return;
        }
      }
    } finally {
      this.#running = null;
      if (this.#queue.length > 0 || this.failure) this.#retry();
    }
  }

  /** One at a time, however many publications fail meanwhile. */
  #retry(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#start();
    }, RETRY_MS).unref();
  }

  #start(): void {
    if (this.#queue.length > 0 || this.failure) this.#running ??= this.#run();
  }

  async #write(batch: readonly LedgerItem[]): Promise<void> {
    const { store, tapeWritten, judgedSeq, log } = this.#options;
    const rest = this.#queue.slice(batch.length);
    // What waits behind the batch was decided later: its events are to be judged again if it never gets there.
    const judgedUntil = Math.min(judgedSeq(), ...rest.map(({ seq }) => seq - 1));
    let tail = this.#tail;
    const records = batch.map(({ record }) => {
      if (!record) return null;
      const stored = chained(record, tail.n + 1, tail.hash);
      tail = stored;
      return stored;
    });
    const numbered = <R>(read: (item: LedgerItem) => R | undefined): (R & { readonly n: number })[] =>
      batch.flatMap((item, index) => {
        const row = read(item);
        return row === undefined ? [] : [{ ...row, n: records[index]!.n }];
      });
    await tapeWritten();
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
    if (this.failure) log.info('the signal log is written again', { waiting: this.#queue.length });
    this.failure = null;
    batch.forEach(({ written }, index) => {
      try {
        written?.(records[index]!);
      } catch (error) {
        log.error('a record of the signal log could not be told', { error });
      }
    });
  }

  #refuse(batch: readonly LedgerItem[], error: Error): void {
    if (!this.failure) this.#options.log.error('the signal log cannot be written; closings wait', { error });
    this.failure = error;
    const refused = new Set(batch.filter(({ failed }) => failed));
    const gone = new Set([...refused].map(({ published }) => published?.id).filter((id) => id !== undefined));
    this.#queue = this.#queue.filter((item) => !refused.has(item) && !gone.has(item.closed?.id ?? item.fill?.id ?? ''));
    for (const { failed } of refused) failed!(error);
  }
}

const NOTHING = { published: [], closed: [], sealed: [], fills: [], gaps: [] } as const;
