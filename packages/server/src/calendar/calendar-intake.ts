// Takes events of all sources: merges them with what is known, stores the changes, then appends them to the journal. One
// batch at a time, so that a revision always finds the state before it.
import type { CalendarEvent } from '@tickwire/contract';
import type { CalendarChange, CalendarChangeEvent, Journal } from '../journal/journal.ts';
import type { CalendarStore } from '../store/calendar-store.ts';
import { WorkQueue } from '../work/work-queue.ts';
import type { AffectedInstruments } from './currencies.ts';
import { eventId, mergeEvent } from './merge-event.ts';
import type { RawCalendarEvent, TakeCalendar } from './raw-event.ts';

/** Events that are stored and announced together. The event loop runs between batches. */
const BATCH = 200;

export interface CalendarIntakeOptions {
  readonly store: Pick<CalendarStore, 'get' | 'put'>;
  readonly journal: Pick<Journal, 'append'>;
  readonly affected: AffectedInstruments;
  readonly now: () => number;
}

export class CalendarIntake {
  /** Changes since the start, by kind. */
  readonly changes: Record<CalendarChange, number> = { added: 0, revised: 0, moved: 0, released: 0, cancelled: 0 };
  readonly #options: CalendarIntakeOptions;
  readonly #queue = new WorkQueue(1);

  constructor(options: CalendarIntakeOptions) {
    this.#options = options;
  }

  /** Resolves with the number of changes once they are stored; rejects if the store fails, which changes nothing. */
  readonly take: TakeCalendar = (events) => this.#queue.run(() => this.#take(events));

  /** Resolves when everything that was taken is stored or has failed. */
  settle(): Promise<void> {
    return this.#queue.run(async () => {});
  }

  async #take(events: readonly RawCalendarEvent[]): Promise<number> {
    let changes = 0;
    for (let at = 0; at < events.length; at += BATCH) {
      if (at > 0) await new Promise(setImmediate);
      changes += await this.#batch(events.slice(at, at + BATCH));
    }
    return changes;
  }

  async #batch(raw: readonly RawCalendarEvent[]): Promise<number> {
    const { store, journal, affected, now } = this.#options;
    const ids = raw.map(eventId);
    const known = new Map((await store.get(ids)).map((event) => [event.id, event]));
    const changed: CalendarChangeEvent[] = [];
    for (const [index, event] of raw.entries()) {
      const context = { symbols: affected.of(event.currency), now: now() };
      const merged = mergeEvent(known.get(ids[index]!) ?? null, event, context);
      if (!merged) continue;
      known.set(merged.item.id, merged.item);
      changed.push({ kind: 'calendar', ...merged });
    }
    if (changed.length === 0) return 0;
    await store.put(changed.map(({ item }): CalendarEvent => item));
    for (const { change } of changed) this.changes[change]++;
    journal.append(changed);
    return changed.length;
  }
}
