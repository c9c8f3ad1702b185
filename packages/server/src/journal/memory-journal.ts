// The journal of a single process: assigns `seq` and calls the readers.
import { randomBytes } from 'node:crypto';
import type { Log } from '../ops/log.ts';
import type { Journal, JournalEvent, JournalReader } from './journal.ts';
import { JournalReaders } from './journal-readers.ts';
import { SeqBlocks, type SeqReserve } from './seq-blocks.ts';

export type { SeqReserve } from './seq-blocks.ts';

export class MemoryJournal implements Journal {
  readonly epoch = randomBytes(6).toString('hex');
  readonly #seqs: SeqBlocks;
  readonly #readers: JournalReaders;

  private constructor(seqs: SeqBlocks, log: Log) {
    this.#seqs = seqs;
    this.#readers = new JournalReaders(log);
  }

  static async open(reserve: SeqReserve, log: Log): Promise<MemoryJournal> {
    return new MemoryJournal(await SeqBlocks.open(reserve, log), log);
  }

  get lastSeq(): number {
    return this.#seqs.next - 1;
  }

  append(events: readonly JournalEvent[], source = ''): void {
    if (events.length === 0) return;
    this.#readers.deliver({ firstSeq: this.#seqs.take(events.length), source, events });
  }

  subscribe(reader: JournalReader): () => void {
    return this.#readers.add(reader);
  }
}
