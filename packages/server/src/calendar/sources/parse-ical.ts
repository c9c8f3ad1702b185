// Reads an iCalendar document (RFC 5545). Recurring events are expanded within a horizon; an occurrence keeps its identity if it
// is moved or cancelled. Runs on a worker thread with a deadline.
import { iso } from '@tickwire/contract';
import { DAY_MS, SECOND_MS } from '@tickwire/engine';
import ICAL from 'ical.js';
import { toUtc, zoneNamed } from './local-time.ts';
import {
  calendarFailure,
  DAYS_AHEAD,
  DAYS_BACK,
  MAX_DOCUMENT_EVENTS,
  type ParsedCalendar,
  type ParsedEvent,
  type SkippedPart,
} from './parsed-calendar.ts';
import { statedValues } from './stated-values.ts';

/** Occurrences of one event that are stepped through, with those before the horizon: a daily event since 1980. */
const MAX_STEPS = 20_000;
const MAX_EVENTS = 20_000;

export function parseIcal(text: string, timezone: string, now: number): ParsedCalendar {
  if (!/END:VCALENDAR\s*$/i.test(text.slice(-200))) return calendarFailure('truncated', 'END:VCALENDAR is missing');
  let root: ICAL.Component;
  try {
    root = calendarOf(text);
  } catch (error) {
    return calendarFailure('malformed', `not an iCalendar document: ${String((error as Error).message).slice(0, 200)}`);
  }
  return new CalendarReader(root, timezone, now).read();
}

/** Documents may have several calendars in one file; their events are read together. */
function calendarOf(text: string): ICAL.Component {
  // A byte order mark, and blank lines that some servers add.
  const parsed = ICAL.parse(text.replace(/^\uFEFF/, '').trim()) as unknown[];
  if (typeof parsed[0] === 'string') return new ICAL.Component(parsed);
  const all = parsed.map((each) => new ICAL.Component(each as unknown[]));
  const [first] = all;
  if (!first) throw new Error('it is empty');
  for (const other of all.slice(1)) for (const part of other.getAllSubcomponents()) first.addSubcomponent(part);
  return first;
}

class CalendarReader {
  readonly #root: ICAL.Component;
  readonly #zone: string;
  readonly #from: number;
  readonly #to: number;
  readonly #events: ParsedEvent[] = [];
  readonly #skipped: SkippedPart[] = [];
  readonly #isCancelled: boolean;
  /** Identities of occurrences that have a separate component. */
  readonly #overridden = new Set<string>();

  constructor(root: ICAL.Component, timezone: string, now: number) {
    this.#root = root;
    const declared = root.getFirstPropertyValue('x-wr-timezone');
    this.#zone = (typeof declared === 'string' ? zoneNamed(declared) : null) ?? timezone;
    this.#from = now - DAYS_BACK * DAY_MS;
    this.#to = now + DAYS_AHEAD * DAY_MS;
    this.#isCancelled = String(root.getFirstPropertyValue('method') ?? '').toUpperCase() === 'CANCEL';
  }

  read(): ParsedCalendar {
    const components = this.#root.getAllSubcomponents('vevent').slice(0, MAX_EVENTS);
    const newest = newestVersions(components);
    for (const [index, component] of components.entries()) {
      if (!newest.has(component)) continue;
      try {
        this.#read(component);
      } catch (error) {
        this.#skipped.push({ line: index + 1, reason: String((error as Error).message).slice(0, 200) });
      }
    }
    const events = this.#events.filter(
      ({ uid, onlyKnown }) => !(onlyKnown && uid !== null && this.#overridden.has(uid)),
    );
    return { ok: true, format: 'ical', events, skipped: this.#skipped };
  }

  #read(component: ICAL.Component): void {
    const start = component.getFirstProperty('dtstart');
    if (!start) throw new Error('the event has no DTSTART');
    const title = textOf(component, 'summary');
    if (title === '') throw new Error('the event has no SUMMARY');
    const uid = textOf(component, 'uid') || null;
    const override = component.getFirstProperty('recurrence-id');
    if (override && uid !== null) {
      const identity = occurrence(uid, this.#timeOf(override.getFirstValue() as ICAL.Time, override));
      this.#overridden.add(identity);
      this.#add(component, title, identity, start.getFirstValue() as ICAL.Time, start);
      return;
    }
    if (component.hasProperty('rrule') || component.hasProperty('rdate')) this.#expand(component, title, uid, start);
    else this.#add(component, title, uid, start.getFirstValue() as ICAL.Time, start);
  }

  #expand(component: ICAL.Component, title: string, uid: string | null, start: ICAL.Property): void {
    const first = start.getFirstValue() as ICAL.Time;
    const overridden = this.#overridesOf(uid);
    const iterator = new ICAL.RecurExpansion({ component, dtstart: first });
    for (let step = 0; step < MAX_STEPS; step++) {
      const next = iterator.next();
      if (!next) break;
      const time = this.#timeOf(next, start);
      if (time >= this.#to) break;
      const identity = uid === null ? null : occurrence(uid, time);
      if (time >= this.#from && !(identity !== null && overridden.has(identity)))
        this.#add(component, title, identity, next, start);
    }
    for (const excluded of component.getAllProperties('exdate'))
      for (const value of excluded.getValues() as ICAL.Time[]) {
        const time = this.#timeOf(value, excluded);
        if (uid === null || time < this.#from || time >= this.#to) continue;
        this.#add(component, title, occurrence(uid, time), value, excluded, { status: 'cancelled', onlyKnown: true });
      }
  }

  #overridesOf(uid: string | null): ReadonlySet<string> {
    const found = new Set<string>();
    for (const other of this.#root.getAllSubcomponents('vevent')) {
      const property = other.getFirstProperty('recurrence-id');
      if (property && uid !== null && textOf(other, 'uid') === uid)
        found.add(occurrence(uid, this.#timeOf(property.getFirstValue() as ICAL.Time, property)));
    }
    return found;
  }

  #add(
    component: ICAL.Component,
    title: string,
    uid: string | null,
    start: ICAL.Time,
    property: ICAL.Property,
    changes: Partial<ParsedEvent> = {},
  ): void {
    if (this.#events.length >= MAX_DOCUMENT_EVENTS) throw new Error(`more than ${MAX_DOCUMENT_EVENTS} events`);
    const status = textOf(component, 'status').toUpperCase();
    const url = textOf(component, 'url');
    this.#events.push({
      uid,
      title,
      country: null,
      currency: null,
      impact: null,
      time: this.#timeOf(start, property),
      allDay: start.isDate,
      status: this.#isCancelled || status === 'CANCELLED' ? 'cancelled' : null,
      ...statedValues(textOf(component, 'description')),
      ...(/^https?:\/\//i.test(url) && { url: url.slice(0, 2_048) }),
      ...changes,
    });
  }

  /** Epoch milliseconds, whole seconds. A date is its midnight in UTC, whatever the time zone. */
  #timeOf(time: ICAL.Time, property: ICAL.Property): number {
    const { year, month, day, hour, minute, second } = time;
    const wallClock = Date.UTC(
      year,
      month - 1,
      day,
      time.isDate ? 0 : hour,
      time.isDate ? 0 : minute,
      time.isDate ? 0 : second,
    );
    if (!(wallClock >= 0)) throw new Error('the event has no valid time');
    if (time.isDate || time.zone === ICAL.Timezone.utcTimezone) return wallClock;
    const name = property.getFirstParameter('tzid');
    if (!name) return toUtc(this.#zone, wallClock);
    const zone = zoneNamed(name);
    if (zone !== null) return toUtc(zone, wallClock);
    const described = this.#root.getTimeZoneByID(name);
    if (!described) throw new Error(`the time zone ${name.slice(0, 60)} is not known`);
    return wallClock - described.utcOffset(time) * SECOND_MS;
  }
}

/** The newest version of each event: the highest SEQUENCE, then the latest DTSTAMP, then the last in the document. */
function newestVersions(components: readonly ICAL.Component[]): ReadonlySet<ICAL.Component> {
  const newest = new Map<string, { component: ICAL.Component; order: readonly [number, string] }>();
  const without = new Set<ICAL.Component>();
  for (const component of components) {
    const uid = textOf(component, 'uid');
    if (uid === '') {
      without.add(component);
      continue;
    }
    const identity = `${uid}\u0000${String(component.getFirstPropertyValue('recurrence-id') ?? '')}`;
    const sequence = Number(component.getFirstPropertyValue('sequence') ?? 0) || 0;
    const order = [sequence, String(component.getFirstPropertyValue('dtstamp') ?? '')] as const;
    const known = newest.get(identity)?.order;
    if (!known || order[0] > known[0] || (order[0] === known[0] && order[1] >= known[1]))
      newest.set(identity, { component, order });
  }
  return new Set([...without, ...[...newest.values()].map(({ component }) => component)]);
}

/** The identity of an occurrence: its original time, whatever became of it. */
const occurrence = (uid: string, time: number): string => `${uid}#${iso(time)}`;

const textOf = (component: ICAL.Component, name: string): string =>
  String(component.getFirstPropertyValue(name) ?? '').trim();
