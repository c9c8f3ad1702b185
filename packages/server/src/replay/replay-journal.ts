// The journal of a replay: numbers start at 1, and the epoch follows from the session.
import type { Journal, JournalEvent, JournalReader } from '../journal/journal.ts';
import { JournalReaders } from '../journal/journal-readers.ts';
import type { Log } from '../ops/log.ts';

export class ReplayJournal implements Journal {
  readonly epoch: string;
  lastSeq = 0;
  readonly #readers: JournalReaders;

  constructor(epoch: string, log: Log) {
    this.epoch = epoch;
    this.#readers = new JournalReaders(log);
  }

  append(events: readonly JournalEvent[], source = ''): void {
    if (events.length === 0) return;
    const firstSeq = this.lastSeq + 1;
    this.lastSeq += events.length;
    this.#readers.deliver({ firstSeq, source, events });
  }

  subscribe(reader: JournalReader): () => void {
    return this.#readers.add(reader);
  }
}
