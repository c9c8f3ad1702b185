// The journal of a cluster for its only writer, the active ingest node. Readers in the same process get a batch immediately, as
// with the journal of a single process; all others read it from a Redis stream some milliseconds later.
//
// - Batches are collected for LINGER_MS and sent as one entry, one round trip at a time.
// - Every append is fenced: Redis accepts it only while this process holds the lease, and only if it follows the last entry.
// - The newest entries are kept in memory (`ringBytes`). A shorter outage of Redis loses nothing, even if Redis comes back empty
//   or without its last second: the stream is refilled with the same ids. A longer one is logged as an error, and a new epoch
//   starts after the hole.
// - After the lease is lost, nothing more is published, not even to readers in this process: the numbers belong to the new
//   writer.
import { randomBytes } from 'node:crypto';
import type { Batch, Journal, JournalEvent, JournalReader } from '../../journal/journal.ts';
import { JournalReaders } from '../../journal/journal-readers.ts';
import { SeqBlocks, type SeqReserve } from '../../journal/seq-blocks.ts';
import type { Log } from '../../ops/log.ts';
import type { RedisKeys } from '../redis-keys.ts';
import { type RedisLink, type RedisReply, RedisUnavailable } from '../redis-link.ts';
import { EntryEncoder } from './entry-encoding.ts';
import { EntryRing } from './entry-ring.ts';
import { APPEND_JOURNAL, OPEN_JOURNAL } from './redis-journal-scripts.ts';
import { StreamRetention } from './stream-retention.ts';

/** Batches within this time share a round trip. It is most of the latency that the journal adds. */
export const LINGER_MS = 5;
/** Checked before numbers are assigned: an event that cannot be encoded would leave a hole. */
const MAX_SOURCE = 1_000;
/** About a million events: four minutes at 5,000 per second. */
const RING_BYTES = 64 * 1024 * 1024;
/** An entry is complete at this size. */
const ENTRY_BYTES = 65_536;
const ENTRY_EVENTS = 10_000;
/** Limits of one round trip. */
const ROUND_ENTRIES = 64;
const ROUND_BYTES = 1_048_576;
const RETRY_MS = 100;
const CLOSE_MS = 2_000;

/** What the journal needs of the lease. */
export interface WritingLease {
  readonly token: number;
  /** Whether this node certainly holds it now. */
  held(): boolean;
  /** Another node holds it. */
  readonly lost: boolean;
  /** Called when Redis rejects the token. */
  renew(): Promise<void>;
}

export interface RedisJournalOptions {
  /** With CLUSTER_SCRIPTS. */
  readonly link: RedisLink;
  readonly keys: RedisKeys;
  readonly lease: WritingLease;
  readonly reserve: SeqReserve;
  /** The highest `seq` in the store: stored but unpublished numbers must not be assigned again. */
  readonly recordedSeq: number;
  readonly log: Log;
  /** Called when another node writes the journal; nothing more is published. */
  readonly onLost: (reason: string) => void;
  /** Called when continuity is lost: a new epoch starts with the next batch. */
  readonly onEpoch?: (epoch: string) => void;
  /** How long and how many events the stream keeps, whichever is less. */
  readonly windowMs?: number;
  readonly windowEvents?: number;
  readonly ringBytes?: number;
  readonly lingerMs?: number;
  readonly now?: () => number;
}

export class RedisJournal implements Journal {
  /** Events that were dropped before Redis had them, for the metrics. */
  lostEvents = 0;
  /** Successful round trips. */
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
  /** The next entry may follow a hole, because it starts an epoch. */
  #startsEpoch: boolean;
  /** Unsent entries were dropped: the next entry must start an epoch. */
  #broken = false;
  #refilling = false;
  #stopped = false;
  #failing = false;
  #writtenToken: number;
  readonly #retention: StreamRetention;

  private constructor(options: RedisJournalOptions, numbers: SeqBlocks, epoch: string, startsEpoch: boolean) {
    this.#options = options;
    this.#numbers = numbers;
    this.#epoch = epoch;
    this.#startsEpoch = startsEpoch;
    this.#publishedSeq = numbers.next - 1;
    this.#writtenToken = options.lease.token;
    this.#readers = new JournalReaders(options.log);
    this.#ring = new EntryRing(options.ringBytes ?? RING_BYTES);
    this.#encoder = new EntryEncoder(epoch);
    this.#retention = new StreamRetention(options.windowMs, options.windowEvents);
  }

  /** Continues at the end of the stream. If that is not safe, starts a new epoch after all numbers ever assigned. */
  static async open(options: RedisJournalOptions): Promise<RedisJournal> {
    const { link, keys, lease, reserve, recordedSeq, log } = options;
    const started = newEpoch();
    const [status, last, epoch, server, exists] = (await link.run(OPEN_JOURNAL, keysOf(keys), [
      String(lease.token),
      started,
    ])) as string[];
    if (status !== 'ok') throw new RedisUnavailable('the lease was lost before the journal was opened');
    const end = Number(last);
    // A restarted Redis may have lost entries that were already read.
    const continues =
      Number(exists) === 1 && last !== '' && epoch !== '' && server === link.serverId && recordedSeq <= end;
    if (continues) return new RedisJournal(options, await SeqBlocks.open(reserve, log, end + 1), epoch!, false);
    const numbers = await SeqBlocks.open(reserve, log, undefined, Math.max(end, recordedSeq) + 1);
    const why =
      Number(exists) !== 1 ? 'there is none' : recordedSeq > end ? 'it ends before the store' : 'Redis was restarted';
    log.warn('the journal starts a new epoch: the one in Redis cannot be continued', { why, epoch: started });
    return new RedisJournal(options, numbers, started, true);
  }

  get epoch(): string {
    return this.#epoch;
  }

  get lastSeq(): number {
    return this.#numbers.next - 1;
  }

  /** Redis has everything up to this `seq`. */
  get publishedSeq(): number {
    return this.#publishedSeq;
  }

  /** Events that Redis does not have yet. */
  get unpublished(): number {
    return this.#ring.waitingEvents + this.#encoder.events;
  }

  /** Whether appends to Redis fail. */
  get failing(): boolean {
    return this.#failing;
  }

  append(events: readonly JournalEvent[], source = ''): void {
    if (events.length === 0) return;
    if (this.#stopped) {
      this.lostEvents += events.length;
      return;
    }
    if (source.length > MAX_SOURCE) throw new RangeError(`a journal source is longer than ${MAX_SOURCE} characters`);
    const batch: Batch = { firstSeq: this.#numbers.take(events.length), source, events };
    // Before the readers, because they may append too.
    this.#encode(batch);
    this.#schedule();
    this.#readers.deliver(batch);
  }

  subscribe(reader: JournalReader): () => void {
    return this.#readers.add(reader);
  }

  /** Publishes waiting events, for at most CLOSE_MS, then stops. */
  async close(): Promise<void> {
    const deadline = performance.now() + CLOSE_MS;
    while (!this.#stopped && this.unpublished > 0 && performance.now() < deadline) {
      this.#flush();
      await Promise.race([this.#sending, Bun.sleep(RETRY_MS)]);
    }
    if (this.unpublished > 0)
      this.#options.log.error('the journal was closed before Redis had all events', { events: this.unpublished });
    this.stop();
  }

  /** Stops immediately: the lease is lost. */
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
      if (this.#encoder.size >= ENTRY_BYTES || this.#encoder.events >= ENTRY_EVENTS) this.#completeEntry();
    }
  }

  #completeEntry(): void {
    const encoder = this.#encoder;
    if (encoder.events === 0) return;
    const { firstSeq, lastSeq } = encoder;
    const lost = this.#ring.add({ firstSeq, lastSeq, bytes: encoder.take(this.#now()) });
    if (lost === 0) return;
    this.lostEvents += lost;
    if (!this.#broken)
      this.#options.log.error('CONTINUITY LOST: the outage of Redis exceeds what the journal keeps in memory');
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
    this.#completeEntry();
    if (this.#sending || this.#stopped || this.#ring.waiting === 0) return;
    this.#sending = this.#send().finally(() => {
      this.#sending = null;
      if (!this.#stopped && this.unpublished > 0) this.#schedule();
    });
  }

  async #send(): Promise<void> {
    while (this.#ring.waiting > 0 && !this.#stopped) {
      if (await this.#round()) continue;
      await Bun.sleep(RETRY_MS);
      // Only entries in the ring are bounded.
      this.#completeEntry();
    }
  }

  async #round(): Promise<boolean> {
    const { link, keys, lease, log } = this.#options;
    // A process that stalled notices here, before it calls Redis.
    if (!lease.held() || !link.connected) {
      if (link.connected) await lease.renew();
      return lease.held() && link.connected;
    }
    if (this.#broken) this.#startEpoch();
    const entries = this.#ring.unsent(ROUND_ENTRIES, ROUND_BYTES);
    const { token } = lease;
    const args: (string | Buffer)[] = [
      String(token),
      String(this.#writtenToken),
      this.#epoch,
      entries.at(-1)!.lastSeq < this.#publishedSeq ? 'filling' : link.serverId,
      this.#retention.trimTo(this.#publishedSeq),
      this.#refilling || this.#startsEpoch ? '1' : '0',
    ];
    for (const { firstSeq, lastSeq, bytes } of entries) {
      const mayFollowHole = this.#startsEpoch && args.length === 6;
      args.push(
        String(firstSeq - 1),
        String(lastSeq),
        String(lastSeq - firstSeq + 1),
        mayFollowHole ? '1' : '0',
        bytes,
      );
    }
    let reply: RedisReply;
    try {
      reply = await link.run(APPEND_JOURNAL, keysOf(keys), args);
    } catch (error) {
      if (!this.#failing) log.warn('the journal cannot be written to Redis; events are kept in memory', { error });
      this.#failing = true;
      return false;
    }
    return this.#handleReply(reply as readonly string[], entries.at(-1)!.lastSeq, token);
  }

  /** Returns true if the next round can follow immediately. */
  async #handleReply([status, detail]: readonly string[], lastSeq: number, token: number): Promise<boolean> {
    const { log, lease } = this.#options;
    if (this.#stopped) return false;
    switch (status) {
      case 'ok':
        this.rounds++;
        this.#writtenToken = token;
        this.#ring.sent(lastSeq);
        this.#publishedSeq = Math.max(this.#publishedSeq, lastSeq);
        this.#startsEpoch = false;
        this.#refilling = false;
        if (this.#failing) log.info('the journal is written to Redis again', { published: lastSeq });
        this.#failing = false;
        return true;
      case 'empty':
        log.warn('Redis has lost the journal; refilling it from memory', { from_seq: this.#ring.firstSeq });
        this.#refilling = true;
        this.#ring.rewindAll();
        return true;
      case 'hole': {
        const last = Number(detail);
        log.warn('Redis has lost the end of the journal; refilling it from memory', { after_seq: last });
        if (!this.#ring.rewind(last)) this.#broken = true;
        return true;
      }
      case 'fenced':
        // The lease expired, Redis lost it, or it has a new token: renewing shows which node holds it.
        await lease.renew();
        if (lease.lost) this.#handleLoss(`the lease has the token ${detail}, not ${token}`);
        return lease.held();
      case 'foreign':
        this.#handleLoss(`the journal was since written with the token ${detail}`);
        return false;
      default:
        log.error('Redis rejected a journal entry', { status, detail });
        return false;
    }
  }

  /** The epoch starts with the entries left in the ring, which contain its name. */
  #startEpoch(): void {
    const { log, onEpoch } = this.#options;
    this.#broken = false;
    this.#startsEpoch = true;
    const before = this.#epoch;
    this.#epoch = newEpoch();
    this.#ring.relabel((bytes) => bytes.write(this.#epoch, 3));
    this.#encoder.relabel(this.#epoch);
    log.error('the journal starts a new epoch: events were lost before Redis had them', {
      before,
      epoch: this.#epoch,
      lost: this.lostEvents,
    });
    onEpoch?.(this.#epoch);
  }

  #handleLoss(reason: string): void {
    if (this.#stopped) return;
    this.#options.log.error('another ingest node is active; this one publishes nothing more', { reason });
    this.stop();
    this.#options.onLost(reason);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

/** Epochs have the same length, so that an entry can be relabelled in place. */
const newEpoch = (): string => randomBytes(6).toString('hex');

const keysOf = ({ journal, journalEnd, lease }: RedisKeys): string[] => [journal, journalEnd, lease];
