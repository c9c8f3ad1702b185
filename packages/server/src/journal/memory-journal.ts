// The journal of a single process: a number and a list of readers.
import { randomBytes } from 'node:crypto';
import type { Log } from '../ops/log.ts';
import type { Journal, JournalEvent, JournalReader } from './journal.ts';
import { JournalReaders } from './journal-readers.ts';
import { SeqBlocks, type SeqReserve } from './seq-blocks.ts';

export type { SeqReserve } from './seq-blocks.ts';

export class MemoryJournal implements Journal {
  readonly epoch = randomBytes(6).toString('hex');
  readonly #numbers: SeqBlocks;
  readonly #readers: JournalReaders;

  private constructor(numbers: SeqBlocks, log: Log) {
    this.#numbers = numbers;
    this.#readers = new JournalReaders(log);
  }

  static async open(reserve: SeqReserve, log: Log): Promise<MemoryJournal> {
    return new MemoryJournal(await SeqBlocks.open(reserve, log), log);
  }

  get lastSeq(): number {
    return this.#numbers.next - 1;
  }

  append(events: readonly JournalEvent[], source = ''): void {
    if (events.length === 0) return;
    this.#readers.hand({ firstSeq: this.#numbers.take(events.length), source, events });
  }

  subscribe(reader: JournalReader): () => void {
    return this.#readers.add(reader);
  }
}
