// The journal of a cluster for all nodes but its writer. It reads the stream from a given `seq` on its own link, and delivers
// batches to its readers like the journal of a single process.
//
// More entries are requested only after the last ones were delivered: at most READ_COUNT are in memory, however slow the readers
// are. After a lost connection it continues after the last delivered event. Events that are no longer in the stream are
// declared as lost, never skipped silently.

import type { Batch, Journal, JournalReader } from '../../journal/journal.ts';
import { JournalReaders } from '../../journal/journal-readers.ts';
import type { Log } from '../../ops/log.ts';
import type { RedisKeys } from '../redis-keys.ts';
import { type RedisLink, type RedisReply, RedisUnavailable } from '../redis-link.ts';
import { decodeEntry, type JournalEntry } from './entry-encoding.ts';

const READ_COUNT = 64;
/** The same at a start, which may have minutes of entries to read; each has about 64 KiB at most. */
const START_COUNT = 256;
/** How long Redis waits for new entries before it replies with none. */
const BLOCK_MS = 1_000;
const REPLY_MS = 2_000;
const RETRY_MS = 100;
const STATUS_MS = 500;
/** Sorts after every stream id with the same `seq`. */
const AFTER = '18446744073709551615';

export interface JournalWindow {
  /** First and last `seq` in the stream; `null` if it is empty. */
  readonly first: number | null;
  readonly last: number | null;
  readonly epoch: string;
}

export interface RedisJournalReaderOptions {
  /** Used by this reader only, because reads block. With `bytes`. */
  readonly link: RedisLink;
  /** For reading the state of the stream; may be shared. */
  readonly statusLink: RedisLink;
  readonly keys: RedisKeys;
  /** Starts after this `seq`; `newest`: with the next entry. */
  readonly after: number | 'newest';
  readonly log: Log;
  /**
   * Events `fromSeq` to `toSeq` are no longer in the stream. Reading waits until this resolves; if it resolves to a number,
   * reading continues after that `seq`.
   */
  readonly onLost: (fromSeq: number, toSeq: number) => Promise<number | undefined> | number | undefined;
  /**
   * Called before the first batch of another epoch than that of the start position. If Redis had none at the start (`before` is
   * ''), the position belongs to no epoch, so this is called for the first one too.
   */
  readonly onEpoch?: (epoch: string, before: string) => void;
  readonly now?: () => number;
}

export interface JournalReaderState {
  readonly connected: boolean;
  /** Why reading fails; `null` if it does not. */
  readonly failure: string | null;
  /** Events in the stream that were not delivered yet, at the last check. */
  readonly behind: number;
  /** Age of the newest event when it was delivered, in ms; `null` before the first. */
  readonly delayMs: number | null;
  /** Milliseconds since the writer sent the newest entry; `null` before the first. Grows while no ingest node is active. */
  readonly ageMs: number | null;
}

export class RedisJournalReader implements Journal {
  lastSeq: number;
  /** `false` from a loss of events until `onLost` has restored them. */
  isComplete = true;
  #epoch: string;
  readonly #options: RedisJournalReaderOptions;
  readonly #readers: JournalReaders;
  #sentAt: number | null = null;
  #delayMs: number | null = null;
  #newest: number;
  #stopped = false;
  #running: Promise<void> | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;
  /** The stream was empty at the start: nothing is missed, whatever the first number is. */
  #fresh: boolean;
  #failure: string | null = null;
  /** The stream was restarted with lower numbers: it is read from its start. */
  #restarted = false;

  private constructor(options: RedisJournalReaderOptions, { last, epoch }: JournalWindow) {
    this.#options = options;
    this.lastSeq = options.after === 'newest' ? (last ?? 0) : options.after;
    this.#epoch = epoch;
    this.#newest = last ?? this.lastSeq;
    this.#fresh = options.after === 'newest' && last === null;
    this.#readers = new JournalReaders(options.log);
  }

  /** Determines the start position. Reading begins with `start`, so that no reader misses the first batch. */
  static async open(options: RedisJournalReaderOptions): Promise<RedisJournalReader> {
    return new RedisJournalReader(options, await windowOf(options.statusLink, options.keys));
  }

  get epoch(): string {
    return this.#epoch;
  }

  append(): void {
    throw new Error('only the active ingest node appends to the journal');
  }

  subscribe(reader: JournalReader): () => void {
    return this.#readers.add(reader);
  }

  start(): void {
    this.#running ??= this.#read();
    this.#timer ??= setInterval(() => void this.#checkStream(), STATUS_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    this.#options.link.close();
    await this.#running;
  }

  window(): Promise<JournalWindow> {
    return windowOf(this.#options.statusLink, this.#options.keys);
  }

  state(): JournalReaderState {
    return {
      connected: this.#options.link.connected,
      failure: this.#failure,
      behind: Math.max(0, this.#newest - this.lastSeq),
      delayMs: this.#delayMs,
      ageMs: this.#sentAt === null ? null : Math.max(0, this.#now() - this.#sentAt),
    };
  }

  async #read(): Promise<void> {
    const { link, keys, log } = this.#options;
    while (!this.#stopped) {
      if (this.#restarted) await this.#restart();
      try {
        const from = `${this.lastSeq}-${AFTER}`;
        const reply = await link.send(
          ['XREAD', 'COUNT', String(READ_COUNT), 'BLOCK', String(BLOCK_MS), 'STREAMS', keys.journal, from],
          BLOCK_MS + REPLY_MS,
        );
        for (const bytes of entriesOf(reply)) {
          if (this.#stopped) return;
          // Reading continues at another position.
          if (!(await this.#deliver(decodeEntry(bytes)))) break;
        }
        this.#failure = null;
      } catch (error) {
        if (this.#failure === null && !this.#stopped && !(error instanceof RedisUnavailable))
          log.error('the journal cannot be read', { error, after_seq: this.lastSeq });
        this.#failure = (error as Error).message;
        await Bun.sleep(RETRY_MS);
      }
    }
  }

  /** Delivers an entry. Returns false if reading continues at another position. */
  async #deliver(entry: JournalEntry): Promise<boolean> {
    if (this.#fresh) {
      // Without a start position there is nothing to notify of.
      this.lastSeq = entry.firstSeq - 1;
      this.#epoch = entry.epoch;
      this.#fresh = false;
    }
    if (entry.firstSeq > this.lastSeq + 1 && !(await this.#declareLoss(entry.firstSeq - 1))) return false;
    if (entry.epoch !== this.#epoch) this.#changeEpoch(entry.epoch);
    for (const batch of entry.batches) {
      const fresh = batchAfter(batch, this.lastSeq);
      if (!fresh) continue;
      this.lastSeq = endOf(batch);
      this.#readers.deliver(fresh);
    }
    this.#sentAt = entry.sentAt;
    this.#delayMs = Math.max(0, this.#now() - entry.sentAt);
    this.#newest = Math.max(this.#newest, this.lastSeq);
    return true;
  }

  /** Returns true if reading continues with the entry after the loss. */
  async #declareLoss(toSeq: number): Promise<boolean> {
    const fromSeq = this.lastSeq + 1;
    this.#options.log.warn('journal events were lost: this reader is too far behind, or the stream has a hole', {
      from_seq: fromSeq,
      to_seq: toSeq,
    });
    let continueAfter: number | undefined;
    let isRestored = false;
    this.isComplete = false;
    try {
      continueAfter = await this.#options.onLost(fromSeq, toSeq);
      isRestored = true;
    } catch (error) {
      this.#options.log.error('the state could not be restored after lost journal events', { error });
    }
    // Never back: events before `toSeq` are not in the stream.
    this.lastSeq = Math.max(toSeq, continueAfter ?? 0);
    this.isComplete = isRestored;
    return this.lastSeq === toSeq;
  }

  #changeEpoch(epoch: string): void {
    const before = this.#epoch;
    this.#epoch = epoch;
    this.#options.onEpoch?.(epoch, before);
  }

  /** Reads the end of the stream, and checks that it was not restarted. */
  async #checkStream(): Promise<void> {
    try {
      const { statusLink, keys } = this.#options;
      const [last, epoch] = (await statusLink.send(['HMGET', keys.journalEnd, 'last', 'epoch'])) as readonly (
        | string
        | null
      )[];
      if (last == null || epoch == null) return;
      this.#newest = Number(last);
      // If Redis lost the end of the stream, it is refilled with the same epoch; another epoch means a restart of the numbers.
      if (this.#newest < this.lastSeq && epoch !== this.#epoch) this.#restarted = true;
    } catch {
      // The link logs that Redis cannot be reached.
    }
  }

  async #restart(): Promise<void> {
    const window = await this.window().catch(() => null);
    if (!window) return;
    this.#restarted = false;
    if (window.first === null || window.last! >= this.lastSeq || window.epoch === this.#epoch) return;
    const before = this.lastSeq;
    this.isComplete = false;
    this.lastSeq = window.first - 1;
    this.#options.log.warn('the journal was restarted with lower numbers', { before, first: window.first });
    this.#changeEpoch(window.epoch);
    try {
      const continueAfter = await this.#options.onLost(before + 1, before + 1);
      if (typeof continueAfter === 'number') this.lastSeq = continueAfter;
      this.isComplete = true;
    } catch (error) {
      this.#options.log.error('the state could not be restored after lost journal events', { error });
    }
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

/** First and last `seq` of the stream, and its epoch. */
export async function windowOf(link: RedisLink, { journal, journalEnd }: RedisKeys): Promise<JournalWindow> {
  const [end, oldest] = (await Promise.all([
    link.send(['HMGET', journalEnd, 'last', 'epoch']),
    link.send(['XRANGE', journal, '-', '+', 'COUNT', '1']),
  ])) as [readonly (string | null)[], readonly (readonly [string | Buffer, RedisReply])[]];
  const id = oldest[0]?.[0];
  if (id === undefined) return { first: null, last: null, epoch: String(end[1] ?? '') };
  const [last, count] = String(id).split('-').map(Number) as [number, number];
  return { first: last - count + 1, last: Number(end[0] ?? last), epoch: String(end[1] ?? '') };
}

/** Parses `[[stream, [[id, [field, bytes]]…]]]` or `null`. */
function entriesOf(reply: RedisReply): Buffer[] {
  if (reply === null) return [];
  const [[, entries]] = reply as readonly [
    readonly [RedisReply, readonly (readonly [RedisReply, readonly [RedisReply, Buffer]])[]],
  ];
  return entries.map(([, [, bytes]]) => bytes);
}

/**
 * Reads the stream once, from after `seq` to its end, in order. A gateway node restores its message rings from it, and an ingest
 * node that takes over completes the tape. Events about signals are replaced: the store has them. `link` must have `bytes`.
 */
export async function* readStream(link: RedisLink, { journal }: RedisKeys, seq: number): AsyncGenerator<Batch> {
  let last = seq;
  for (;;) {
    const reply = await link.send(['XRANGE', journal, `${last}-${AFTER}`, '+', 'COUNT', String(START_COUNT)]);
    const entries = reply as readonly (readonly [Buffer, readonly [Buffer, Buffer]])[];
    if (entries.length === 0) return;
    for (const [, [, bytes]] of entries) {
      for (const batch of decodeEntry(bytes, { signals: false }).batches) {
        const fresh = batchAfter(batch, last);
        last = Math.max(last, endOf(batch));
        if (fresh) yield fresh;
      }
    }
  }
}

const endOf = ({ firstSeq, events }: Batch): number => firstSeq + events.length - 1;

/** The part of a batch after `seq`; `null` if there is none. */
function batchAfter(batch: Batch, seq: number): Batch | null {
  if (endOf(batch) <= seq) return null;
  const known = seq + 1 - batch.firstSeq;
  return known > 0 ? { ...batch, firstSeq: batch.firstSeq + known, events: batch.events.slice(known) } : batch;
}
