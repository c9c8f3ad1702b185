// An ingest that takes over tells again what its predecessor may have stored without telling. Whoever reads the journal hears
// of each record of the signal log, and of each state of a news item, once: what comes again is passed over in its place, so
// that the numbers of the events around it stay.
import type { Batch, JournalEvent } from '../journal/journal.ts';

/** News items remembered by their last state. */
const KEPT_ITEMS = 4_096;

/** Something that nobody reads, in place of what was told before. */
const NOTHING: JournalEvent = { kind: 'news_cluster', id: '', cluster: 1 };

export class ToldOnce {
  /** Number of the newest record of the signal log that was told, or that what was restored from the store has in it. */
  newest: number;
  readonly #states = new Map<string, string>();

  constructor(newest: number) {
    this.newest = newest;
  }

  pass(batch: Batch): Batch {
    if (!batch.events.some((event) => this.#isAgain(event))) {
      for (const event of batch.events) this.#note(event);
      return batch;
    }
    const events = batch.events.map((event) => {
      if (this.#isAgain(event)) return NOTHING;
      this.#note(event);
      return event;
    });
    return { ...batch, events };
  }

  #isAgain(event: JournalEvent): boolean {
    if (event.kind === 'signal' || event.kind === 'signal_closed') return event.n <= this.newest;
    return event.kind === 'news' && this.#states.get(event.item.id) === stateOf(event);
  }

  #note(event: JournalEvent): void {
    if (event.kind === 'signal' || event.kind === 'signal_closed') this.newest = event.n;
    else if (event.kind === 'news') {
      this.#states.delete(event.item.id);
      this.#states.set(event.item.id, stateOf(event));
      if (this.#states.size > KEPT_ITEMS) this.#states.delete(this.#states.keys().next().value!);
    }
  }
}

const stateOf = ({ item }: Extract<JournalEvent, { kind: 'news' }>): string => `${item.revision} ${item.title}`;
