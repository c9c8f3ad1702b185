// Removes duplicates from the journal. An ingest node that takes over publishes again what its predecessor may have stored but
// not published. Each record of the signal log and each state of a news item is delivered once; a duplicate is replaced in
// place, so that the events around it keep their numbers.
import { type Batch, isSignalEvent, type JournalEvent } from '../../journal/journal.ts';

/** Number of news items whose last state is remembered. */
const KEPT_ITEMS = 4_096;

/** Replaces a duplicate; all readers ignore it. */
const NOOP: JournalEvent = { kind: 'noop' };

export class Deduplicator {
  /** Number of the newest record of the signal log that was delivered or restored from the store. */
  newest: number;
  readonly #states = new Map<string, string>();

  constructor(newest: number) {
    this.newest = newest;
  }

  filter(batch: Batch): Batch {
    if (!batch.events.some((event) => this.#isDuplicate(event))) {
      for (const event of batch.events) this.#remember(event);
      return batch;
    }
    const events = batch.events.map((event) => {
      if (this.#isDuplicate(event)) return NOOP;
      this.#remember(event);
      return event;
    });
    return { ...batch, events };
  }

  #isDuplicate(event: JournalEvent): boolean {
    if (isSignalEvent(event)) return event.n <= this.newest;
    return event.kind === 'news' && this.#states.get(event.item.id) === stateOf(event);
  }

  #remember(event: JournalEvent): void {
    if (isSignalEvent(event)) this.newest = event.n;
    else if (event.kind === 'news') {
      this.#states.delete(event.item.id);
      this.#states.set(event.item.id, stateOf(event));
      if (this.#states.size > KEPT_ITEMS) this.#states.delete(this.#states.keys().next().value!);
    }
  }
}

const stateOf = ({ item }: Extract<JournalEvent, { kind: 'news' }>): string => `${item.revision} ${item.title}`;
