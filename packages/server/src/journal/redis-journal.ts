// The journal of a cluster, as its one writer has it: the active ingest. Readers in the same process are handed a batch at once,
// as with the journal of a single process; all others read it from a Redis stream, where it is some milliseconds later.
//
// - Batches are gathered for LINGER_MS and sent as one entry, one round trip at a time.
// - Every append is fenced: Redis takes it only while this process holds the lease, and only if it follows what is there.
// - The newest entries are kept here (`ringBytes`). An outage of Redis shorter than that costs nothing, also where Redis comes
//   back empty or without its last second: the stream is filled again with the same ids. A longer one is said loudly, and a
//   new epoch begins behind the hole.
// - Who loses the lease to another publishes nothing more, not even to the readers here: the numbers are another's now.
import { randomBytes } from 'node:crypto';
import type { RedisKeys } from '../cluster/redis-keys.ts';
import { RedisAway, type RedisLink, type Reply } from '../cluster/redis-link.ts';
import type { Log } from '../ops/log.ts';
import type { Batch, Journal, JournalEvent, JournalReader } from './journal.ts';
import { JournalReaders } from './journal-readers.ts';
import { EntryEncoder } from './redis-journal-encoding.ts';
import { EntryRing } from './redis-journal-ring.ts';
import { APPEND_JOURNAL, OPEN_JOURNAL } from './redis-journal-scripts.ts';
import { StreamWindow } from './redis-journal-window.ts';
import { SeqBlocks, type SeqReserve } from './seq-blocks.ts';

/** What comes within this time shares a round trip; it is most of what the journal adds to a tick's way. */
export const LINGER_MS = 5;
/** Checked before numbers are given: what could not be encoded would leave a hole. */
const MAX_SOURCE = 1_000;
/** About a million events: four minutes at 5,000 a second. */
const RING_BYTES = 64 * 1024 * 1024;
/** An entry is closed when it is so large. */
const ENTRY_BYTES = 65_536;
const ENTRY_EVENTS = 10_000;
/** In one round trip. */
const ROUND_ENTRIES = 64;
const ROUND_BYTES = 1_048_576;
const RETRY_MS = 100;
const CLOSE_MS = 2_000;

/** What the journal must know of the lease. */
export interface WritingLease {
  readonly token: number;
  /** Whether it is certainly ours at this moment. */
  held(): boolean;
  /** Another has it. */
  readonly lost: boolean;
  /** Looks again now: Redis says it is not ours. */
  renew(): Promise<void>;
}

export interface RedisJournalOptions {
  /** With CLUSTER_SCRIPTS. */
  readonly link: RedisLink;
  readonly keys: RedisKeys;
  readonly lease: WritingLease;
  readonly reserve: SeqReserve;
  /** The highest seq that the store has of anything: what was stored but never published must not be numbered again. */
  readonly recordedSeq: number;
  readonly log: Log;
  /** Another writes now; nothing more is published. */
  readonly onLost: (why: string) => void;
  /** Continuity was lost: another epoch begins with the next batch. */
  readonly onEpoch?: (epoch: string) => void;
  /** How long and how many events the stream keeps; the smaller of both. */
  readonly windowMs?: number;
  readonly windowEvents?: number;
  readonly ringBytes?: number;
  readonly lingerMs?: number;
  readonly now?: () => number;
}

export class RedisJournal implements Journal {
  /** Events that went before Redis had them, for the metrics. */
  lostEvents = 0;
  /** Round trips, and entries sent, for the metrics. */
  rounds = 0;
  #epoch: string;
  #publishedSeq: number;
  readonly #options: RedisJournalOptions;
  readonly #numbers: SeqBlocks;
  readonly #readers: JournalReaders;
  readonly #ring: EntryRing;
  #encoder: EntryEncoder;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #sending: Promise<void> | null = null;
  /** The next entry may follow a hole: it begins an epoch. */
  #opens: boolean;
  /** Entries went unsent: an epoch is to begin with the next that is sent. */
  #broken = false;
  #refilling = false;
  #stopped = false;
  #failing = false;
  #writtenToken: number;
  readonly #window: StreamWindow;

  private constructor(options: RedisJournalOptions, numbers: SeqBlocks, epoch: string, opens: boolean) {
    this.#options = options;
    this.#numbers = numbers;
    this.#epoch = epoch;
    this.#opens = opens;
    this.#publishedSeq = numbers.next - 1;
    this.#writtenToken = options.lease.token;
    this.#readers = new JournalReaders(options.log);
    this.#ring = new EntryRing(options.ringBytes ?? RING_BYTES);
    this.#encoder = new EntryEncoder(epoch);
    this.#window = new StreamWindow(options.windowMs, options.windowEvents);
  }

  /** Goes on where the stream ends. Where that is not certain, an epoch begins behind everything that was ever numbered. */
  static async open(options: RedisJournalOptions): Promise<RedisJournal> {
    const { link, keys, lease, reserve, recordedSeq, log } = options;
    const [told, last, epoch, server, there] = (await link.run(OPEN_JOURNAL, keysOf(keys), [
      String(lease.token),
    ])) as string[];
    if (told !== 'ok') throw new RedisAway('the lease was lost before the journal was opened');
    const end = Number(last);
    // A Redis that was started again since may have forgotten what others have read already.
    const whole = Number(there) === 1 && last !== '' && epoch !== '' && server === link.serverId && recordedSeq <= end;
    if (whole) return new RedisJournal(options, await SeqBlocks.open(reserve, log, end + 1), epoch!, false);
    const numbers = await SeqBlocks.open(reserve, log, undefined, Math.max(end, recordedSeq) + 1);
    const begun = newEpoch();
    const why =
      Number(there) !== 1 ? 'there is none' : recordedSeq > end ? 'it ends before the store' : 'Redis was restarted';
    log.warn('the journal begins an epoch: the one in Redis cannot be gone on with', { why, epoch: begun });
    return new RedisJournal(options, numbers, begun, true);
  }

  get epoch(): string {
    return this.#epoch;
  }

  get lastSeq(): number {
    return this.#numbers.next - 1;
  }

  /** Redis has everything up to here. */
  get publishedSeq(): number {
    return this.#publishedSeq;
  }

  /** Events that Redis does not have yet. */
  get unpublished(): number {
    return this.#ring.waitingEvents + this.#encoder.events;
  }

  /** Set while Redis cannot be written. */
  get failing(): boolean {
    return this.#failing;
  }

  append(events: readonly JournalEvent[], source = ''): void {
    if (events.length === 0) return;
    if (this.#stopped) {
      this.lostEvents += events.length;
      return;
    }
    if (source.length > MAX_SOURCE)
      throw new RangeError(`a source of the journal is longer than ${MAX_SOURCE} letters`);
    const batch: Batch = { firstSeq: this.#numbers.take(events.length), source, events };
    // Before the readers: one of them may append.
    this.#encode(batch);
    this.#schedule();
    this.#readers.hand(batch);
  }

  subscribe(reader: JournalReader): () => void {
    return this.#readers.add(reader);
  }

  /** Publishes what waits, as far as Redis takes it soon, and nothing after. */
  async close(): Promise<void> {
    const deadline = performance.now() + CLOSE_MS;
    while (!this.#stopped && this.unpublished > 0 && performance.now() < deadline) {
      this.#flush();
      await Promise.race([this.#sending, Bun.sleep(RETRY_MS)]);
    }
    if (this.unpublished > 0)
      this.#options.log.error('the journal ends with events that Redis does not have', { events: this.unpublished });
    this.stop();
  }

  /** At once and for good: the lease is lost. */
  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #encode(batch: Batch): void {
    const { length } = batch.events;
    for (let from = 0; from < length; ) {
      const to = Math.min(length, from + ENTRY_EVENTS - this.#encoder.events);
      this.#encoder.add(batch, from, to);
      from = to;
      if (this.#encoder.size >= ENTRY_BYTES || this.#encoder.events >= ENTRY_EVENTS) this.#seal();
    }
  }

  /** Closes the entry that is being gathered. */
  #seal(): void {
    const encoder = this.#encoder;
    if (encoder.events === 0) return;
    const { firstSeq, lastSeq } = encoder;
    const lost = this.#ring.add({ firstSeq, lastSeq, bytes: encoder.take(this.#now()) });
    if (lost === 0) return;
    this.lostEvents += lost;
    if (!this.#broken)
      this.#options.log.error('CONTINUITY LOST: Redis was away for longer than the journal can keep what it missed');
    this.#broken = true;
  }

  #schedule(): void {
    if (this.#timer || this.#sending) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#flush();
    }, this.#options.lingerMs ?? LINGER_MS);
  }

  #flush(): void {
    this.#seal();
    if (this.#sending || this.#stopped || this.#ring.waiting === 0) return;
    this.#sending = this.#send().finally(() => {
      this.#sending = null;
      if (!this.#stopped && this.unpublished > 0) this.#schedule();
    });
  }

  /** Sends until nothing waits, or it cannot be sent now. */
  async #send(): Promise<void> {
    while (this.#ring.waiting > 0 && !this.#stopped) {
      if (await this.#round()) continue;
      await Bun.sleep(RETRY_MS);
      // What came meanwhile is bounded by the ring only once it is in it.
      this.#seal();
    }
  }

  async #round(): Promise<boolean> {
    const { link, keys, lease, log } = this.#options;
    // A process that was held up finds out here, before it asks Redis.
    if (!lease.held() || !link.connected) {
      if (link.connected) await lease.renew();
      return lease.held() && link.connected;
    }
    if (this.#broken) this.#beginEpoch();
    const entries = this.#ring.unsent(ROUND_ENTRIES, ROUND_BYTES);
    const { token } = lease;
    const args: (string | Buffer)[] = [
      String(token),
      String(this.#writtenToken),
      this.#epoch,
      entries.at(-1)!.lastSeq < this.#publishedSeq ? 'filling' : link.serverId,
      this.#window.begins(this.#publishedSeq),
      this.#refilling || this.#opens ? '1' : '0',
    ];
    for (const { firstSeq, lastSeq, bytes } of entries) {
      const opens = this.#opens && args.length === 6;
      args.push(String(firstSeq - 1), String(lastSeq), String(lastSeq - firstSeq + 1), opens ? '1' : '0', bytes);
    }
    let reply: Reply;
    try {
      reply = await link.run(APPEND_JOURNAL, keysOf(keys), args);
    } catch (error) {
      if (!this.#failing) log.warn('the journal cannot be written to Redis; it is kept here until it can', { error });
      this.#failing = true;
      return false;
    }
    return this.#judge(reply as readonly string[], entries.at(-1)!.lastSeq, token);
  }

  /** Takes Redis's answer; true where the next round can follow at once. */
  async #judge([told, what]: readonly string[], lastSeq: number, token: number): Promise<boolean> {
    const { log, lease } = this.#options;
    if (this.#stopped) return false;
    switch (told) {
      case 'ok':
        this.rounds++;
        this.#writtenToken = token;
        this.#ring.sent(lastSeq);
        this.#publishedSeq = Math.max(this.#publishedSeq, lastSeq);
        this.#opens = false;
        this.#refilling = false;
        if (this.#failing) log.info('the journal is written to Redis again', { published: lastSeq });
        this.#failing = false;
        return true;
      case 'empty':
        log.warn('Redis has lost the journal; it is filled again from memory', { from_seq: this.#ring.firstSeq });
        this.#refilling = true;
        this.#ring.rewindAll();
        return true;
      case 'hole': {
        const last = Number(what);
        log.warn('Redis has lost the end of the journal; it is filled again from memory', { after_seq: last });
        if (!this.#ring.rewind(last)) this.#broken = true;
        return true;
      }
      case 'fenced':
        // It ran out, Redis forgot it, or it has a token that we were not told of yet: the lease finds out whose it is.
        await lease.renew();
        if (lease.lost) this.#lose(`the lease has the token ${what}, not ${token}`);
        return lease.held();
      case 'foreign':
        this.#lose(`the journal was written with the token ${what} since`);
        return false;
      default:
        log.error('Redis refused an entry of the journal', { told, what });
        return false;
    }
  }

  /** What is left in the ring is the beginning of it; the entries know their epoch. */
  #beginEpoch(): void {
    const { log, onEpoch } = this.#options;
    this.#broken = false;
    this.#opens = true;
    const before = this.#epoch;
    this.#epoch = newEpoch();
    this.#ring.relabel((bytes) => bytes.write(this.#epoch, 3));
    this.#encoder.relabel(this.#epoch);
    log.error('the journal begins an epoch: events were lost before Redis had them', {
      before,
      epoch: this.#epoch,
      lost: this.lostEvents,
    });
    onEpoch?.(this.#epoch);
  }

  #lose(why: string): void {
    if (this.#stopped) return;
    this.#options.log.error('another ingest is active; this one publishes nothing more', { why });
    this.stop();
    this.#options.onLost(why);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

/** As many letters each: an entry can be given another in place. */
const newEpoch = (): string => randomBytes(6).toString('hex');

const keysOf = ({ journal, journalEnd, lease }: RedisKeys): string[] => [journal, journalEnd, lease];
