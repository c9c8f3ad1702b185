// The journal of a cluster as everyone but its writer has it: gateways, and an ingest that stands by. It reads the stream from
// a given seq on, on a connection of its own, and hands batches to its readers as the journal of a single process does.
//
// Nothing more is asked for before what came is handed on: at most READ_COUNT entries are in memory, however slow the readers
// are. After a cut it goes on behind the last event it has handed on. What is not there any more is told, never passed over.
import type { RedisKeys } from '../cluster/redis-keys.ts';
import { RedisAway, type RedisLink, type Reply } from '../cluster/redis-link.ts';
import type { Log } from '../ops/log.ts';
import type { Journal, JournalReader } from './journal.ts';
import { JournalReaders } from './journal-readers.ts';
import { decodeEntry, type Entry } from './redis-journal-encoding.ts';

const READ_COUNT = 64;
/** How long Redis waits for something new before it says that there is nothing. */
const BLOCK_MS = 1_000;
const ANSWER_MS = 2_000;
const RETRY_MS = 100;
const LOOK_MS = 500;
/** Behind every id that begins with the same seq. */
const AFTER = '18446744073709551615';

export interface JournalWindow {
  /** First and last seq in the stream; null where it is empty. */
  readonly first: number | null;
  readonly last: number | null;
  readonly epoch: string;
}

export interface RedisJournalReaderOptions {
  /** Of its own: it waits at Redis. With `bytes`. */
  readonly link: RedisLink;
  /** Where the window is asked for; shared with others. */
  readonly look: RedisLink;
  readonly keys: RedisKeys;
  /** Begins behind this seq; `newest`: with what is appended from now on. */
  readonly after: number | 'newest';
  readonly log: Log;
  /**
   * Events from…to cannot be had any more. Reading waits until this resolves; with a number it goes on behind that seq, as
   * far as the stream has what follows.
   */
  readonly onLost: (fromSeq: number, toSeq: number) => Promise<number | undefined> | number | undefined;
  /** Before the first batch of another epoch. */
  readonly onEpoch?: (epoch: string, before: string) => void;
  readonly now?: () => number;
}

export interface ReadingState {
  readonly connected: boolean;
  /** What keeps it from reading; null while it reads. */
  readonly failure: string | null;
  /** Events in the stream that were not handed on yet, as of the last look. */
  readonly behind: number;
  /** How old the newest event was when it was handed on, in ms; null before the first. */
  readonly delayMs: number | null;
  /** Milliseconds since the writer made the newest entry; null before the first. It grows while no ingest is active. */
  readonly ageMs: number | null;
}

export class RedisJournalReader implements Journal {
  lastSeq: number;
  #epoch: string;
  readonly #options: RedisJournalReaderOptions;
  readonly #readers: JournalReaders;
  #sentAt: number | null = null;
  #delayMs: number | null = null;
  #newest: number;
  #stopped = false;
  #running: Promise<void> | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;
  /** Nothing was there when it began: it misses nothing, whatever comes first. */
  #fresh: boolean;
  /** What keeps it from reading, as it is told; null while it reads. */
  #failure: string | null = null;
  /** The stream was begun anew below what was read: it is read from its beginning. */
  #anew = false;

  private constructor(options: RedisJournalReaderOptions, { last, epoch }: JournalWindow) {
    this.#options = options;
    this.lastSeq = options.after === 'newest' ? (last ?? 0) : options.after;
    this.#epoch = epoch;
    this.#newest = last ?? this.lastSeq;
    this.#fresh = options.after === 'newest' && last === null;
    this.#readers = new JournalReaders(options.log);
  }

  /** Knows where it begins; reads once it is started, so that nobody misses the first batch. */
  static async open(options: RedisJournalReaderOptions): Promise<RedisJournalReader> {
    return new RedisJournalReader(options, await windowOf(options.look, options.keys));
  }

  get epoch(): string {
    return this.#epoch;
  }

  append(): void {
    throw new Error('only the active ingest appends to the journal');
  }

  subscribe(reader: JournalReader): () => void {
    return this.#readers.add(reader);
  }

  start(): void {
    this.#running ??= this.#read();
    this.#timer ??= setInterval(() => void this.#look(), LOOK_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    this.#options.link.close();
    await this.#running;
  }

  window(): Promise<JournalWindow> {
    return windowOf(this.#options.look, this.#options.keys);
  }

  state(): ReadingState {
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
      if (this.#anew) await this.#startAnew();
      try {
        const from = `${this.lastSeq}-${AFTER}`;
        const reply = await link.send(
          ['XREAD', 'COUNT', String(READ_COUNT), 'BLOCK', String(BLOCK_MS), 'STREAMS', keys.journal, from],
          BLOCK_MS + ANSWER_MS,
        );
        for (const bytes of entriesOf(reply)) {
          if (this.#stopped) return;
          // It was told to go on elsewhere.
          if (!(await this.#take(decodeEntry(bytes)))) break;
        }
        this.#failure = null;
      } catch (error) {
        if (this.#failure === null && !this.#stopped && !(error instanceof RedisAway))
          log.error('the journal cannot be read', { error, after_seq: this.lastSeq });
        this.#failure = (error as Error).message;
        await Bun.sleep(RETRY_MS);
      }
    }
  }

  /** Hands an entry on; false where reading goes on elsewhere. */
  async #take(entry: Entry): Promise<boolean> {
    if (this.#fresh) this.lastSeq = entry.firstSeq - 1;
    this.#fresh = false;
    if (entry.firstSeq > this.lastSeq + 1 && !(await this.#lose(entry.firstSeq - 1))) return false;
    if (entry.epoch !== this.#epoch) this.#turn(entry.epoch);
    for (const batch of entry.batches) {
      const end = batch.firstSeq + batch.events.length - 1;
      if (end <= this.lastSeq) continue;
      // It began in the middle of a batch.
      const known = this.lastSeq + 1 - batch.firstSeq;
      this.lastSeq = end;
      this.#readers.hand(
        known > 0 ? { ...batch, firstSeq: batch.firstSeq + known, events: batch.events.slice(known) } : batch,
      );
    }
    this.#sentAt = entry.sentAt;
    this.#delayMs = Math.max(0, this.#now() - entry.sentAt);
    this.#newest = Math.max(this.#newest, this.lastSeq);
    return true;
  }

  /** Tells what cannot be had any more; true where the entry that showed it is the next to hand on. */
  async #lose(toSeq: number): Promise<boolean> {
    const fromSeq = this.lastSeq + 1;
    this.#options.log.warn('events of the journal were lost here: it is behind the stream, or the stream has a hole', {
      from_seq: fromSeq,
      to_seq: toSeq,
    });
    let goOn: number | undefined;
    try {
      goOn = await this.#options.onLost(fromSeq, toSeq);
    } catch (error) {
      this.#options.log.error('what was lost could not be made good', { error });
    }
    // What is told twice was not to be had the first time either.
    this.lastSeq = Math.max(toSeq, goOn ?? 0);
    return this.lastSeq === toSeq;
  }

  #turn(epoch: string): void {
    const before = this.#epoch;
    this.#epoch = epoch;
    if (before !== '') this.#options.onEpoch?.(epoch, before);
  }

  /** How far the stream is, and whether it is still the one that was read. */
  async #look(): Promise<void> {
    try {
      const { look, keys } = this.#options;
      const [last, epoch] = (await look.send(['HMGET', keys.journalEnd, 'last', 'epoch'])) as readonly (
        | string
        | null
      )[];
      if (last == null || epoch == null) return;
      this.#newest = Number(last);
      // A Redis that lost its end is filled again with the same epoch; with another, numbers were begun anew.
      if (this.#newest < this.lastSeq && epoch !== this.#epoch) this.#anew = true;
    } catch {
      // The link says that it is away.
    }
  }

  async #startAnew(): Promise<void> {
    const window = await this.window().catch(() => null);
    if (!window) return;
    this.#anew = false;
    if (window.first === null || window.last! >= this.lastSeq || window.epoch === this.#epoch) return;
    const before = this.lastSeq;
    this.lastSeq = window.first - 1;
    this.#options.log.warn('the journal was begun anew with lower numbers', { before, first: window.first });
    this.#turn(window.epoch);
    const goOn = await this.#options.onLost(before + 1, before + 1);
    if (typeof goOn === 'number') this.lastSeq = goOn;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

/** What the stream holds. */
export async function windowOf(link: RedisLink, { journal, journalEnd }: RedisKeys): Promise<JournalWindow> {
  const [stands, oldest] = (await Promise.all([
    link.send(['HMGET', journalEnd, 'last', 'epoch']),
    link.send(['XRANGE', journal, '-', '+', 'COUNT', '1']),
  ])) as [readonly (string | null)[], readonly (readonly [string | Buffer, Reply])[]];
  const id = oldest[0]?.[0];
  if (id === undefined) return { first: null, last: null, epoch: String(stands[1] ?? '') };
  const [last, count] = String(id).split('-').map(Number) as [number, number];
  return { first: last - count + 1, last: Number(stands[0] ?? last), epoch: String(stands[1] ?? '') };
}

/** `[[stream, [[id, [field, bytes]]…]]]`, or nothing. */
function entriesOf(reply: Reply): Buffer[] {
  if (reply === null) return [];
  const [[, entries]] = reply as readonly [readonly [Reply, readonly (readonly [Reply, readonly [Reply, Buffer]])[]]];
  return entries.map(([, [, bytes]]) => bytes);
}
