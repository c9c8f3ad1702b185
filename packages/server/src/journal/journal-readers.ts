// The readers of a journal in this process. Each gets every batch, in the order of subscription.
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

  deliver(batch: Batch): void {
    for (const reader of this.#readers) {
      try {
        reader(batch);
      } catch (error) {
        // An error in one reader must not keep the batch from the others.
        this.#log.error('a journal reader failed', { error, first_seq: batch.firstSeq });
      }
    }
  }
}
