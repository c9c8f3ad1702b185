// CalendarStore in SQL that both SQLite and PostgreSQL understand. Events are stored as JSON text, like news.
import type { CalendarEvent } from '@tickwire/contract';
import type { CalendarStore } from '../calendar-store.ts';
import { change, long, rows, rowsFor, run, type SharedWork, type SqlValue, type WorkRunner } from './shared-work.ts';
import { put, storedFields } from './stored-fields.ts';
import { CALENDAR, CALENDAR_REVISIONS } from './tables/market-tables.ts';

const EVENTS = storedFields(CALENDAR);
const REVISIONS = storedFields(CALENDAR_REVISIONS);

interface ItemRow {
  readonly item: string;
}
const eventOf = ({ item }: ItemRow): CalendarEvent => JSON.parse(item) as CalendarEvent;

export function createCalendarStore({ read, write }: WorkRunner): CalendarStore {
  return {
    put: (events) => write(() => putEvents(events)),
    get: (ids) =>
      read(function* () {
        const wanted = [...new Set(ids)].map((id) => ({ id }));
        const text = 'SELECT c.item FROM calendar c, {records} WHERE c.id = r.id';
        return (yield* rowsFor<ItemRow, 'id'>(text, { id: 'text' }, wanted)).map(eventOf);
      }),
    after: ({ time, id }, to, limit) =>
      read(() =>
        select('calendar WHERE (time, id) > ($1, $2) AND time < $3 ORDER BY time, id LIMIT $4', time, id, to, limit),
      ),
    knownAfter: (knownAt, { time, id }, to, limit) =>
      read(() =>
        select(
          `calendar_revisions r
           WHERE (time, id) > ($1, $2) AND time < $3 AND known_at <= $4 AND NOT EXISTS (
             SELECT 1 FROM calendar_revisions n WHERE n.id = r.id AND n.revision > r.revision AND n.known_at <= $4)
           ORDER BY time, id LIMIT $5`,
          time,
          id,
          to,
          knownAt,
          limit,
        ),
      ),
    updatedSince: (time, limit) =>
      read(() => select('calendar WHERE updated_at >= $1 ORDER BY updated_at, id LIMIT $2', time, limit)),
    highImpactRevisions: (after, limit) =>
      read(() =>
        long(
          select(
            `calendar_revisions
             WHERE (id, revision) > ($1, $2) AND id IN (SELECT id FROM calendar_revisions WHERE impact = 'high')
             ORDER BY id, revision LIMIT $3`,
            after?.id ?? '',
            after?.revision ?? 0,
            limit,
          ),
        ),
      ),
    prune: (time) =>
      write(function* () {
        const ids = 'SELECT id FROM calendar WHERE time < $1';
        yield* long(run(`DELETE FROM calendar_revisions WHERE id IN (${ids})`, time));
        return yield* long(change('DELETE FROM calendar WHERE time < $1', time));
      }),
  };
}

function* putEvents(events: readonly CalendarEvent[]): SharedWork<void> {
  const stored = events.map((event) => {
    const updatedAt = Date.parse(event.updated_at);
    const { id, revision, impact } = event;
    return {
      id,
      revision,
      impact,
      time: Date.parse(event.time),
      updatedAt,
      knownAt: updatedAt,
      item: JSON.stringify(event),
    };
  });
  yield* put(REVISIONS, stored);
  yield* put(EVENTS, stored);
}

function* select(from: string, ...values: readonly SqlValue[]): SharedWork<CalendarEvent[]> {
  return (yield* rows<ItemRow>(`SELECT item FROM ${from}`, ...values)).map(eventOf);
}
