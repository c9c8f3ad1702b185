// Batches of the journal once Redis has them. What is stored goes by these: the store is never ahead of the journal, so that an
// ingest that takes over goes on from what both have, and nobody who reads the journal misses what the store knows.
import type { Log } from '../ops/log.ts';
import { StoreError } from '../store/store.ts';
import type { Batch, Journal, JournalReader } from './journal.ts';

const LOOK_MS = 20;
/** How long somebody who must store something waits for Redis. */
const PATIENCE_MS = 2_000;
/** Events held back while Redis is away; past that they are stored all the same: a takeover then begins an epoch. */
const MAX_HELD = 2_000_000;

export interface Publishing extends Journal {
  /** Redis has everything up to here. */
  readonly publishedSeq: number;
}

export class PublishedBatches {
  readonly #journal: Publishing;
  readonly #log: Log;
  readonly #readers: JournalReader[] = [];
  readonly #timer: ReturnType<typeof setInterval>;
  #held: Batch[] = [];
  #events = 0;
  #overflowing = false;

  constructor(journal: Publishing, log: Log) {
    this.#journal = journal;
    this.#log = log;
    journal.subscribe((batch) => this.#hold(batch));
    this.#timer = setInterval(() => this.release(), LOOK_MS);
  }

  /** Events that Redis does not have yet. */
  get held(): number {
    return this.#events;
  }

  subscribe(reader: JournalReader): void {
    this.#readers.push(reader);
  }

  /** Hands on what Redis has by now. */
  release(): void {
    const { publishedSeq } = this.#journal;
    let count = 0;
    while (count < this.#held.length && endOf(this.#held[count]!) <= publishedSeq) this.#hand(this.#held[count++]!);
    if (count === 0) return;
    this.#held = this.#held.slice(count);
    this.#overflowing = false;
  }

  /** Resolves once everything so far was handed on. */
  async settled(): Promise<void> {
    const { lastSeq } = this.#journal;
    const until = performance.now() + PATIENCE_MS;
    while (this.#journal.publishedSeq < lastSeq) {
      if (performance.now() >= until)
        throw new StoreError('Redis does not take the journal: nothing can be promised now');
      await Bun.sleep(1);
    }
    this.release();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #hold(batch: Batch): void {
    this.#held.push(batch);
    this.#events += batch.events.length;
    if (this.#events <= MAX_HELD) return;
    if (!this.#overflowing)
      this.#log.error('Redis was away for too long: what happens is stored before it is published');
    this.#overflowing = true;
    this.#hand(this.#held.shift()!);
  }

  #hand(batch: Batch): void {
    this.#events -= batch.events.length;
    for (const reader of this.#readers) reader(batch);
  }
}

const endOf = ({ firstSeq, events }: Batch): number => firstSeq + events.length - 1;
