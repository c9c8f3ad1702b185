// Delays journal batches until Redis has them. The recorder reads these, so the store is never ahead of the journal: an ingest
// node that takes over continues from what both have, and no reader of the journal misses what the store knows.

import { StoreError } from '../../errors/store-error.ts';
import type { Batch, Journal, JournalReader } from '../../journal/journal.ts';
import type { Log } from '../../ops/log.ts';

const CHECK_MS = 20;
/** How long `flush` waits for Redis. */
const FLUSH_TIMEOUT_MS = 2_000;
/** Events delayed while Redis cannot be reached. Beyond that they are stored anyway, and a takeover starts a new epoch. */
const MAX_DELAYED = 2_000_000;

export interface PublishingJournal extends Journal {
  /** Redis has everything up to this `seq`. */
  readonly publishedSeq: number;
}

export class PublishedBatches {
  readonly #journal: PublishingJournal;
  readonly #log: Log;
  readonly #readers: JournalReader[] = [];
  readonly #timer: ReturnType<typeof setInterval>;
  #delayed: Batch[] = [];
  #events = 0;
  #overflowing = false;

  constructor(journal: PublishingJournal, log: Log) {
    this.#journal = journal;
    this.#log = log;
    this.#timer = setInterval(() => this.release(), CHECK_MS);
  }

  /** Events that Redis does not have yet. */
  get delayed(): number {
    return this.#events;
  }

  /** Returns a journal reader that passes each batch on to `reader` once Redis has it. */
  delay(reader: JournalReader): JournalReader {
    this.#readers.push(reader);
    return this.#read;
  }

  /** Delivers the batches that Redis has. */
  release(): void {
    const { publishedSeq } = this.#journal;
    let count = 0;
    while (count < this.#delayed.length && endOf(this.#delayed[count]!) <= publishedSeq)
      this.#deliver(this.#delayed[count++]!);
    if (count === 0) return;
    this.#delayed = this.#delayed.slice(count);
    this.#overflowing = false;
  }

  /** Resolves when everything so far was delivered; rejects if Redis does not take it in time. */
  async flush(): Promise<void> {
    const { lastSeq } = this.#journal;
    const until = performance.now() + FLUSH_TIMEOUT_MS;
    while (this.#journal.publishedSeq < lastSeq) {
      if (performance.now() >= until)
        throw new StoreError('Redis does not accept the journal: nothing can be stored now');
      await Bun.sleep(1);
    }
    this.release();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  readonly #read = (batch: Batch): void => {
    this.#delayed.push(batch);
    this.#events += batch.events.length;
    if (this.#events <= MAX_DELAYED) return;
    if (!this.#overflowing)
      this.#log.error('Redis cannot be reached for too long: events are stored before they are published');
    this.#overflowing = true;
    this.#deliver(this.#delayed.shift()!);
  };

  #deliver(batch: Batch): void {
    this.#events -= batch.events.length;
    for (const reader of this.#readers) reader(batch);
  }
}

const endOf = ({ firstSeq, events }: Batch): number => firstSeq + events.length - 1;
