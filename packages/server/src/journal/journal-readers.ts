// The readers of a journal in this process: each is handed every batch, in the order they came.
import type { Log } from '../ops/log.ts';
import type { Batch, JournalReader } from './journal.ts';

export class JournalReaders {
  readonly #readers = new Set<JournalReader>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  add(reader: JournalReader): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  hand(batch: Batch): void {
    for (const reader of this.#readers) {
      try {
        reader(batch);
      } catch (error) {
        // A fault in one reader must not keep the event from the others.
        this.#log.error('a reader of the journal failed', { error, first_seq: batch.firstSeq });
      }
    }
  }
}
