// Marks signals whose entry or exit was near a high-impact event, by the calendar as it was known when they closed. Marks are not
// stored: they follow from the signal log and the stored revisions, which are kept (docs/calendar.md, "Marked signals").
import { type CalendarEvent, iso, MARK_IMPACT, MARK_WINDOW_MINUTES, type SignalWindows } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import type { CalendarStore } from '../store/calendar-store.ts';
import { affects, isInside, opensWindow } from './event-window.ts';

const SPAN = { before: MARK_WINDOW_MINUTES, after: MARK_WINDOW_MINUTES };
/** Events are looked up by stretches of time that are as long as a window. */
const STRETCH_MS = 2 * MARK_WINDOW_MINUTES * MINUTE_MS;
/** Revisions per query. */
const PAGE = 1_000;

/** A closed signal. Times are epoch milliseconds. */
export interface MarkedSignal {
  readonly symbol: string;
  /** `null` if it never filled, which leaves it unmarked. */
  readonly filledAt: number | null;
  readonly closedAt: number;
}

type Revision = Pick<CalendarEvent, 'title' | 'symbols' | 'impact' | 'all_day' | 'status' | 'revision'> & {
  readonly time: number;
  readonly knownAt: number;
};

export interface WindowMarksOptions {
  readonly store: Pick<CalendarStore, 'highImpactRevisions'>;
  /** A source whose events are ignored; `null` for none. */
  readonly except: string | null;
}

export class WindowMarks {
  readonly #options: WindowMarksOptions;
  /** Revisions by event, ascending. */
  readonly #events = new Map<string, Revision[]>();
  /** Ids of the events with a revision in each stretch of time. */
  readonly #stretches = new Map<number, Set<string>>();
  #loading: Promise<void> | null = null;

  constructor(options: WindowMarksOptions) {
    this.#options = options;
  }

  /** Forgets everything: the store may have more than the journal delivered. */
  reset(): void {
    this.#loading = null;
    this.#events.clear();
    this.#stretches.clear();
  }

  /** A revision that the journal announced. Before the first use, the store is read instead. */
  add(event: CalendarEvent): void {
    if (this.#loading) this.#put(event);
  }

  /** Loads the revisions on first use. */
  async load(): Promise<void> {
    this.#loading ??= this.#load();
    try {
      await this.#loading;
    } catch (error) {
      this.reset();
      throw error;
    }
  }

  /** Requires `load`. `null` if the signal never filled. */
  of({ symbol, filledAt, closedAt }: MarkedSignal): SignalWindows | null {
    if (filledAt === null) return null;
    const entry = this.#at(filledAt, symbol, closedAt);
    const exit = this.#at(closedAt, symbol, closedAt);
    return { inside: entry.length + exit.length > 0, entry, exit };
  }

  #at(time: number, symbol: string, knownUntil: number): SignalWindows['entry'] {
    const stretch = Math.floor(time / STRETCH_MS);
    const ids = new Set([-1, 0, 1].flatMap((offset) => [...(this.#stretches.get(stretch + offset) ?? [])]));
    return [...ids]
      .flatMap((id) => {
        const known = this.#events.get(id)!.findLast(({ knownAt }) => knownAt <= knownUntil);
        if (!known || !opensWindow(known) || !affects(known, symbol, [MARK_IMPACT])) return [];
        if (!isInside(time, known.time, SPAN)) return [];
        return [{ id, revision: known.revision, title: known.title, time: iso(known.time) }];
      })
      .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : a.id < b.id ? -1 : 1));
  }

  async #load(): Promise<void> {
    const { store } = this.#options;
    let after: CalendarEvent | null = null;
    for (;;) {
      const page: CalendarEvent[] = await store.highImpactRevisions(after, PAGE);
      for (const event of page) this.#put(event);
      if (page.length < PAGE) return;
      after = page.at(-1)!;
    }
  }

  #put(event: CalendarEvent): void {
    const { id, title, symbols, impact, all_day, status, revision, source } = event;
    if (source === this.#options.except) return;
    const revisions = this.#events.get(id) ?? [];
    if (revisions.some((each) => each.revision === revision)) return;
    const time = Date.parse(event.time);
    revisions.push({ title, symbols, impact, all_day, status, revision, time, knownAt: Date.parse(event.updated_at) });
    revisions.sort((a, b) => a.revision - b.revision);
    this.#events.set(id, revisions);
    const stretch = Math.floor(time / STRETCH_MS);
    const ids = this.#stretches.get(stretch) ?? new Set();
    this.#stretches.set(stretch, ids.add(id));
  }
}
