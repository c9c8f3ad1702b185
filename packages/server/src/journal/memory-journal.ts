// The journal of a single process: a number and a list of readers.
//
// seq must never be given twice, not even after a crash, because signals will be judged by it. Numbers are therefore
// reserved in the store in blocks ahead of their use, and a restart goes on behind the last block.
import { randomBytes } from 'node:crypto';
import type { Log } from '../ops/log.ts';
import type { Batch, Journal, JournalEvent, JournalReader } from './journal.ts';

const BLOCK = 10_000_000;

export interface SeqReserve {
  load(): Promise<number>;
  save(ceiling: number): Promise<void>;
}

export class MemoryJournal implements Journal {
  readonly epoch = randomBytes(6).toString('hex');
  #next: number;
  #ceiling: number;
  #reserving = false;
  readonly #reserve: SeqReserve;
  readonly #log: Log;
  readonly #readers = new Set<JournalReader>();

  private constructor(reserve: SeqReserve, log: Log, next: number) {
    this.#reserve = reserve;
    this.#log = log;
    this.#next = next;
    this.#ceiling = next + BLOCK;
  }

  static async open(reserve: SeqReserve, log: Log): Promise<MemoryJournal> {
    const next = Math.max(1, await reserve.load());
    await reserve.save(next + BLOCK);
    return new MemoryJournal(reserve, log, next);
  }

  get lastSeq(): number {
    return this.#next - 1;
  }

  append(events: readonly JournalEvent[], source = ''): void {
    if (events.length === 0) return;
    const batch: Batch = { firstSeq: this.#next, source, events };
    this.#next += events.length;
    if (this.#next > this.#ceiling - BLOCK / 2) this.#reserveMore();
    for (const reader of this.#readers) {
      try {
        reader(batch);
      } catch (error) {
        // A fault in one reader must not keep the event from the others.
        this.#log.error('a reader of the journal failed', { error, first_seq: batch.firstSeq });
      }
    }
  }

  subscribe(reader: JournalReader): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  #reserveMore(): void {
    if (this.#reserving) return;
    this.#reserving = true;
    const ceiling = this.#next + BLOCK;
    this.#reserve
      .save(ceiling)
      .then(() => {
        this.#ceiling = ceiling;
      })
      .catch((error) => this.#log.error('sequence numbers could not be reserved', { error }))
      .finally(() => {
        this.#reserving = false;
      });
  }
}
