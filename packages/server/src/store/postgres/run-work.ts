// Runs shared work on PostgreSQL. Each column of records is passed as one array.
import type { SharedWork, SqlRecord, SqlStatement, SqlValue, WorkRunner } from '../sql/shared-work.ts';
import type { ColumnKind } from '../sql/tables/table.ts';
import { chunks, numbers } from './bulk.ts';
import { LONG_MS, type PostgresDatabase, type SqlSession } from './database.ts';

const ARRAYS: Readonly<Record<ColumnKind, string>> = { int: 'bigint', float: 'float8', text: 'text', bytes: 'bytea' };

export const postgresRunner = (database: PostgresDatabase): WorkRunner => ({
  database: 'postgres',
  read: (work) => runWork(database, work()),
  snapshot: (work) => database.transaction((session) => runWork(session, work()), { snapshot: true }),
  share: (work) => database.transaction((session) => runWork(session, work())),
  write: (work) => database.write((session) => runWork(session, work())),
});

export async function runWork<T>(session: SqlSession, work: SharedWork<T>): Promise<T> {
  let step = work.next();
  while (!step.done) step = work.next(await execute(session, step.value));
  return step.value;
}

async function execute(session: SqlSession, statement: SqlStatement): Promise<unknown> {
  const { values, columns, records, key, counted, long } = statement;
  const ms = long ? LONG_MS : undefined;
  const text = adaptedText(statement);
  const bound = values.map(accepted);
  if (!records || !columns) return counted ? session.run(text, bound, ms) : session.rows(text, bound, ms);
  const found: unknown[] = [];
  let changes = 0;
  for (const part of chunks(key ? lastOfEach(records, key) : records)) {
    const arrays = Object.entries(columns).map(([name, kind]) => arrayOf(part, name, kind));
    const all = [...bound, ...arrays];
    if (counted) changes += await session.run(text, all, ms);
    else for (const row of await session.rows(text, all, ms)) found.push(row);
  }
  return counted ? changes : found;
}

function adaptedText({ text, values, columns = {} }: SqlStatement): string {
  const arrays = Object.values(columns).map((kind, index) => `$${values.length + index + 1}::${ARRAYS[kind]}[]`);
  const names = Object.keys(columns).map((name) => `"${name}"`);
  const records = `unnest(${arrays.join(', ')}) AS r (${names.join(', ')})`;
  return text
    .replace('{records}', records)
    .replace('{each}', `${records} CROSS JOIN LATERAL`)
    .replace('{locked}', 'FOR UPDATE OF q')
    .replace('{free}', 'FOR UPDATE OF q SKIP LOCKED');
}

function arrayOf(records: readonly SqlRecord<string>[], name: string, kind: ColumnKind): unknown {
  const values = records.map((record) => record[name]!);
  return kind === 'int' || kind === 'float' ? numbers(values as (number | null)[]) : values.map(accepted);
}

/** A statement cannot touch a row twice. */
function lastOfEach(records: readonly SqlRecord<string>[], key: readonly string[]): readonly SqlRecord<string>[] {
  const last = new Map(records.map((record) => [key.map((name) => record[name]).join('\n'), record]));
  return last.size === records.length ? records : [...last.values()];
}

/** PostgreSQL accepts neither NUL nor lone surrogates in texts, and the driver only buffers. */
function accepted(value: SqlValue): SqlValue {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\u0000', '\ufffd');
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}
