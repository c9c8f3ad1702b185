// Runs shared work on PostgreSQL. Records are passed as one JSON array.
import type { SharedWork, SqlStatement, SqlValue, WorkRunner } from '../sql/shared-work.ts';
import type { PostgresDatabase, SqlSession } from './database.ts';

export function postgresRunner(database: PostgresDatabase): WorkRunner {
  const finish = async <T>(session: SqlSession, work: SharedWork<T>): Promise<T> => {
    let step = work.next([]);
    while (!step.done) {
      const { text, values } = adapted(step.value);
      step = work.next(await session.rows(text, values));
    }
    return step.value;
  };
  return {
    database: 'postgres',
    read: (work) => finish(database, work()),
    share: (work) => database.transaction((session) => finish(session, work())),
    write: (work) => database.write((session) => finish(session, work())),
  };
}

function adapted({ text, values, columns, records }: SqlStatement): { text: string; values: readonly SqlValue[] } {
  const locking = text.replace('{locked}', 'FOR UPDATE OF q').replace('{free}', 'FOR UPDATE OF q SKIP LOCKED');
  if (!records || !columns) return { text: locking, values: values.map(accepted) };
  const types = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
  const table = `jsonb_to_recordset($1::jsonb) AS r(${types.join(', ')})`;
  const cleaned = records.map((record) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, accepted(value)])),
  );
  return { text: locking.replace('{records}', table), values: [JSON.stringify(cleaned)] };
}

/** PostgreSQL accepts neither NUL nor lone surrogates in texts. */
const accepted = (value: SqlValue): SqlValue =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\u0000', '\ufffd') : value;
