// The economic calendar, in the schema of one realm. Events are stored as JSON text, like news.
import type { CalendarEvent } from '@tickwire/contract';
import type { CalendarStore } from '../calendar-store.ts';
import { chunks, lastOfEach, numbers } from './bulk.ts';
import { LONG_MS, type PostgresDatabase } from './database.ts';

const PUT = `INSERT INTO calendar (id, time, updated_at, item)
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[])
  ON CONFLICT (id) DO UPDATE SET time = excluded.time, updated_at = excluded.updated_at, item = excluded.item`;
const PUT_REVISIONS = `INSERT INTO calendar_revisions (id, revision, impact, known_at, item)
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::text[])
  ON CONFLICT (id, revision) DO UPDATE SET impact = excluded.impact, known_at = excluded.known_at, item = excluded.item`;

interface ItemRow {
  readonly item: string;
}

export function createCalendarStore(database: PostgresDatabase): CalendarStore {
  const read = async (sql: string, values: unknown[], ms?: number): Promise<CalendarEvent[]> => {
    const rows = await database.rows<ItemRow>(sql, values, ms);
    return rows.map(({ item }) => JSON.parse(item) as CalendarEvent);
  };
  return {
    put: (events) =>
      database.write(async (session) => {
        const keyed = lastOfEach(events, ({ id, revision }) => `${id} ${revision}`);
        for (const part of chunks(keyed))
          await session.run(PUT_REVISIONS, [
            part.map(({ id }) => id),
            numbers(part.map(({ revision }) => revision)),
            part.map(({ impact }) => impact),
            numbers(part.map(({ updated_at }) => Date.parse(updated_at))),
            part.map((event) => JSON.stringify(event)),
          ]);
        for (const part of chunks(lastOfEach(events, ({ id }) => id)))
          await session.run(PUT, [
            part.map(({ id }) => id),
            numbers(part.map(({ time }) => Date.parse(time))),
            numbers(part.map(({ updated_at }) => Date.parse(updated_at))),
            part.map((event) => JSON.stringify(event)),
          ]);
      }),
    get: (ids) => read('SELECT item FROM calendar WHERE id = ANY($1::text[])', [[...new Set(ids)]]),
    after: ({ time, id }, to, limit) =>
      read('SELECT item FROM calendar WHERE (time, id) > ($1, $2) AND time < $3 ORDER BY time, id LIMIT $4', [
        time,
        id,
        to,
        limit,
      ]),
    updatedSince: (time, limit) =>
      read('SELECT item FROM calendar WHERE updated_at >= $1 ORDER BY updated_at, id LIMIT $2', [time, limit]),
    highImpactRevisions: (after, limit) =>
      read(
        `SELECT item FROM calendar_revisions
         WHERE (id, revision) > ($1, $2) AND id IN (SELECT id FROM calendar_revisions WHERE impact = 'high')
         ORDER BY id, revision LIMIT $3`,
        [after?.id ?? '', after?.revision ?? 0, limit],
        LONG_MS,
      ),
    prune: (time) =>
      database.write(async (session) => {
        await session.run(
          'DELETE FROM calendar_revisions USING calendar WHERE calendar.id = calendar_revisions.id AND calendar.time < $1',
          [time],
          LONG_MS,
        );
        return session.run('DELETE FROM calendar WHERE time < $1', [time], LONG_MS);
      }),
  };
}
