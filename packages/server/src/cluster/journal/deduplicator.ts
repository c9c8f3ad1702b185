// Removes duplicates from the journal. An ingest node that takes over publishes again what its predecessor may have stored but
// not published. Each record of the signal log, each state of a news item, each revision of a calendar event and each firing of
// an alert is delivered once; a duplicate is replaced in place, so that the events around it keep their numbers.
import { type Batch, isSignalEvent, type JournalEvent, NOOP } from '../../journal/journal.ts';
import { LruMap } from '../../work/lru-map.ts';

/** Number of news items, of calendar events and of firings whose last state is remembered. */
const KEPT_ITEMS = 4_096;

export class Deduplicator {
  /** Number of the newest record of the signal log that was delivered or restored from the store. */
  newest: number;
  readonly #states = new LruMap<string, string>(2 * KEPT_ITEMS);
  /** Newest revision of each calendar event. */
  readonly #revisions = new LruMap<string, number>(2 * KEPT_ITEMS);
  readonly #firings = new LruMap<string, true>(2 * KEPT_ITEMS);

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
    // A revision that follows a later one is repeated as well: each take-over publishes them in order.
    if (event.kind === 'calendar') return event.item.revision <= (this.#revisions.get(event.item.id) ?? 0);
    if (event.kind === 'alert') return this.#firings.get(event.firing.id) === true;
    return event.kind === 'news' && this.#states.get(event.item.id) === stateOf(event);
  }

  #remember(event: JournalEvent): void {
    if (isSignalEvent(event)) this.newest = event.n;
    else if (event.kind === 'news') this.#states.set(event.item.id, stateOf(event));
    else if (event.kind === 'alert') this.#firings.set(event.firing.id, true);
    else if (event.kind === 'calendar') this.#revisions.set(event.item.id, event.item.revision);
  }
}

const stateOf = ({ item }: Extract<JournalEvent, { kind: 'news' }>): string => `${item.revision} ${item.title}`;
