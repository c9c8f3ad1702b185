// The calendar that the API answers from: events by time, then by id. Events before the start of memory come from the store,
// which has every event before the journal announces it.
import {
  CALENDAR_DAYS_AHEAD,
  CALENDAR_DAYS_BACK,
  type CalendarEvent,
  type CalendarPage,
  type CalendarQuery,
  comparableIso,
  type EventWindow,
  MAX_CALENDAR_DAYS,
  type WindowQuery,
} from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import type { Batch } from '../journal/journal.ts';
import type { CalendarPosition, CalendarStore } from '../store/calendar-store.ts';
import { affects, opensWindow, windowAt } from './event-window.ts';
import { WindowMarks } from './window-marks.ts';

/** Memory starts this long before the start of the service. */
const DAYS_IN_MEMORY = 35;
const MAX_EVENTS_IN_MEMORY = 50_000;
/** Events per query of the store. */
const STORE_PAGE = 1_000;
/** A window considers events this far from it. */
const WINDOW_REACH_MS = 8 * DAY_MS;

export interface CalendarFeedOptions {
  readonly store: Pick<CalendarStore, 'after' | 'highImpactRevisions'>;
  /** A source whose events are hidden; `null` for none. */
  readonly except: string | null;
}

type Matches = (event: CalendarEvent) => boolean;

export class CalendarFeed {
  /** Marks of signals near high-impact events. */
  readonly marks: WindowMarks;
  readonly #options: CalendarFeedOptions;
  /** By time, then by id. */
  #events: CalendarEvent[] = [];
  readonly #timeOf = new Map<string, string>();
  /** Memory has all events from this time on. */
  #from = Number.POSITIVE_INFINITY;

  constructor(options: CalendarFeedOptions) {
    this.#options = options;
    this.marks = new WindowMarks(options);
  }

  get size(): number {
    return this.#events.length;
  }

  /** Loads the events of the last days and all later ones from the store. */
  async restore(now: number): Promise<void> {
    const from = Math.max(0, now - DAYS_IN_MEMORY * DAY_MS);
    const events: CalendarEvent[] = [];
    for await (const event of this.#stored({ time: from, id: '' }, Number.MAX_SAFE_INTEGER)) events.push(event);
    this.#events = [];
    this.#timeOf.clear();
    this.#from = from;
    this.marks.reset();
    for (const event of events) this.#put(event);
  }

  readonly read = ({ events }: Batch): void => {
    for (const event of events) {
      if (event.kind !== 'calendar' || event.item.source === this.#options.except) continue;
      this.#put(event.item);
      this.marks.add(event.item);
    }
  };

  /** Answers from memory if it has the whole range. */
  page(query: CalendarQuery, now: number): CalendarPage | Promise<CalendarPage> {
    const { from, to } = rangeOf(query, now);
    const start = query.cursor === undefined ? { time: from, id: '' } : positionOf(query.cursor);
    const { country, impact, limit } = query;
    const symbol = query.symbol?.toUpperCase();
    const matches: Matches = (event) =>
      (!country || country.includes(event.country)) &&
      (!impact || impact.includes(event.impact)) &&
      (symbol === undefined || event.symbols.includes(symbol));
    const pageOf = (found: readonly CalendarEvent[]): CalendarPage => {
      const items = found.slice(0, limit);
      const next = found.length > limit ? cursorOf(items.at(-1)!) : null;
      return { items, count: items.length, from: comparableIso(from), to: comparableIso(to), next };
    };
    if (start.time < this.#from) return this.#fromStore(start, to, matches, limit + 1).then(pageOf);
    const found: CalendarEvent[] = [];
    const end = comparableIso(to);
    for (let at = this.#indexAfter(start); at < this.#events.length && found.length <= limit; at++) {
      const event = this.#events[at]!;
      if (event.time >= end) break;
      if (matches(event)) found.push(event);
    }
    return pageOf(found);
  }

  window(symbol: string, { before, after, impact, at }: WindowQuery, now: number): EventWindow | Promise<EventWindow> {
    const judged = Math.floor(at ?? now);
    const matches: Matches = (event) => affects(event, symbol, impact);
    if (judged - WINDOW_REACH_MS >= this.#from)
      return windowAt(symbol, judged, { before, after }, this.#around(judged, matches));
    const start = { time: Math.max(0, judged - WINDOW_REACH_MS), id: '' };
    return this.#fromStore(start, judged + MAX_CALENDAR_DAYS * DAY_MS, matches, STORE_PAGE).then((found) =>
      windowAt(symbol, judged, { before, after }, found),
    );
  }

  /** Events near a time, and those after it up to the first one that can open a window. */
  #around(time: number, matches: Matches): CalendarEvent[] {
    const far = comparableIso(time + WINDOW_REACH_MS);
    const found: CalendarEvent[] = [];
    for (let at = this.#indexAfter({ time: time - WINDOW_REACH_MS, id: '' }); at < this.#events.length; at++) {
      const event = this.#events[at]!;
      if (!matches(event)) continue;
      found.push(event);
      if (event.time > far && opensWindow(event)) break;
    }
    return found;
  }

  async #fromStore(position: CalendarPosition, to: number, matches: Matches, limit: number): Promise<CalendarEvent[]> {
    const found: CalendarEvent[] = [];
    for await (const event of this.#stored(position, to)) {
      if (matches(event)) found.push(event);
      if (found.length === limit) break;
    }
    return found;
  }

  async *#stored(position: CalendarPosition, to: number): AsyncGenerator<CalendarEvent> {
    const { store, except } = this.#options;
    for (let start = position; ; ) {
      const page = await store.after(start, to, STORE_PAGE);
      for (const event of page) if (event.source !== except) yield event;
      if (page.length < STORE_PAGE) return;
      start = placeOf(page.at(-1)!);
    }
  }

  /** A revision replaces its event, which may have another time now. */
  #put(event: CalendarEvent): void {
    const known = this.#timeOf.get(event.id);
    if (known !== undefined) {
      const at = this.#indexAfter({ time: Date.parse(known), id: event.id }) - 1;
      this.#events.splice(at, 1);
      this.#timeOf.delete(event.id);
    }
    const place = placeOf(event);
    if (place.time < this.#from) return;
    this.#events.splice(this.#indexAfter(place), 0, event);
    this.#timeOf.set(event.id, event.time);
    if (this.#events.length <= MAX_EVENTS_IN_MEMORY) return;
    const first = this.#events.shift()!;
    this.#timeOf.delete(first.id);
    this.#from = Date.parse(first.time) + 1;
  }

  /** Index of the first event after a position. */
  #indexAfter({ time, id }: CalendarPosition): number {
    const text = comparableIso(time);
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const event = this.#events[middle]!;
      if (event.time < text || (event.time === text && event.id <= id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function rangeOf(query: CalendarQuery, now: number): { readonly from: number; readonly to: number } {
  const usual = now - CALENDAR_DAYS_BACK * DAY_MS;
  const length = (CALENDAR_DAYS_BACK + CALENDAR_DAYS_AHEAD) * DAY_MS;
  const endsBefore = query.to !== undefined && query.to <= usual;
  const from = Math.max(0, query.from ?? (endsBefore ? query.to! - length : usual));
  const ahead = Math.max(now, from) + CALENDAR_DAYS_AHEAD * DAY_MS;
  const to = query.to ?? Math.min(ahead, from + MAX_CALENDAR_DAYS * DAY_MS);
  if (from > to || to - from > MAX_CALENDAR_DAYS * DAY_MS) {
    const allowed = `a range of at most ${MAX_CALENDAR_DAYS} days that does not end before it starts`;
    const errors = [{ parameter: 'from', value: comparableIso(from), allowed }];
    throw new ServiceError('invalid_parameter', `from and to must be ${allowed}`, { errors });
  }
  return { from, to };
}

const placeOf = ({ time, id }: CalendarEvent): CalendarPosition => ({ time: Date.parse(time), id });
const cursorOf = ({ time, id }: CalendarEvent): string => `${Date.parse(time)}.${id}`;
const positionOf = (cursor: string): CalendarPosition => {
  const point = cursor.indexOf('.');
  return { time: Number(cursor.slice(0, point)), id: cursor.slice(point + 1) };
};
