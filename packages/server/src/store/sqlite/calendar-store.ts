// The economic calendar, in market.db of the realm.
import type { Database } from 'bun:sqlite';
import type { CalendarEvent } from '@tickwire/contract';
import type { CalendarStore } from '../calendar-store.ts';
import { withFileErrors } from './errors.ts';

interface ItemRow {
  readonly item: string;
}

export function createCalendarStore(database: Database): CalendarStore {
  const run = async <T>(work: () => T): Promise<T> => withFileErrors(database.filename, work);
  const read = (rows: readonly ItemRow[]): CalendarEvent[] => rows.map(({ item }) => JSON.parse(item) as CalendarEvent);
  return {
    put: (events) =>
      run(() => {
        const current = database.query(
          'INSERT OR REPLACE INTO calendar (id, time, updated_at, item) VALUES (?, ?, ?, ?)',
        );
        const revision = database.query(
          'INSERT OR REPLACE INTO calendar_revisions (id, revision, impact, known_at, item) VALUES (?, ?, ?, ?, ?)',
        );
        database
          .transaction(() => {
            for (const event of events) {
              const item = JSON.stringify(event);
              const knownAt = Date.parse(event.updated_at);
              current.run(event.id, Date.parse(event.time), knownAt, item);
              revision.run(event.id, event.revision, event.impact, knownAt, item);
            }
          })
          .immediate();
      }),
    get: (ids) =>
      run(() => {
        const one = database.query<ItemRow, [string]>('SELECT item FROM calendar WHERE id = ?');
        return read([...new Set(ids)].flatMap((id) => one.get(id) ?? []));
      }),
    after: ({ time, id }, to, limit) =>
      run(() =>
        read(
          database
            .query<ItemRow, [number, string, number, number]>(
              'SELECT item FROM calendar WHERE (time, id) > (?, ?) AND time < ? ORDER BY time, id LIMIT ?',
            )
            .all(time, id, to, limit),
        ),
      ),
    updatedSince: (time, limit) =>
      run(() =>
        read(
          database
            .query<ItemRow, [number, number]>(
              'SELECT item FROM calendar WHERE updated_at >= ? ORDER BY updated_at, id LIMIT ?',
            )
            .all(time, limit),
        ),
      ),
    highImpactRevisions: (after, limit) =>
      run(() =>
        read(
          database
            .query<ItemRow, [string, number, number]>(
              `SELECT item FROM calendar_revisions
               WHERE (id, revision) > (?, ?) AND id IN (SELECT id FROM calendar_revisions WHERE impact = 'high')
               ORDER BY id, revision LIMIT ?`,
            )
            .all(after?.id ?? '', after?.revision ?? 0, limit),
        ),
      ),
    prune: (time) =>
      run(() =>
        database
          .transaction(() => {
            database
              .query('DELETE FROM calendar_revisions WHERE id IN (SELECT id FROM calendar WHERE time < ?)')
              .run(time);
            return database.query('DELETE FROM calendar WHERE time < ?').run(time).changes;
          })
          .immediate(),
      ),
  };
}
