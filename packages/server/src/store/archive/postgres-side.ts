// PostgreSQL as either end of a move: read in one snapshot, filled in one transaction.

import { copyCell } from '../postgres/copy.ts';
import { type Database, LONG_MS, type Session, type Transaction } from '../postgres/database.ts';
import { BARS_BY_YEAR, type Partitioning, Partitions, TAPE_BY_DAY } from '../postgres/partitions.ts';
import { ACCESS_SCHEMA } from '../postgres/schema.ts';
import { StoreError } from '../store.ts';
import { columnList, keyList, PARTS, type Part, type TableShape, tablesOf } from './shapes.ts';
import type { Cell, Row, Source, Target } from './sides.ts';

const ROWS_AT_ONCE = 2_000;
/** Whatever the table is called elsewhere, nobody else writes while it is filled. */
const PARTITIONED: Readonly<Record<string, { readonly by: Partitioning; readonly column: string }>> = {
  bars: { by: BARS_BY_YEAR, column: 'time' },
  tape: { by: TAPE_BY_DAY, column: 'minute' },
};

const schemaOf = (part: Part): string => (part === 'access' ? ACCESS_SCHEMA : part);
const placeOf = (part: Part, { name }: TableShape): string => `${schemaOf(part)}.${name}`;

async function countOf(session: Session, part: Part, table: TableShape): Promise<number> {
  const [row] = await session.rows<{ count: number }>(
    `SELECT count(*) AS count FROM ${placeOf(part, table)}`,
    [],
    LONG_MS,
  );
  return row!.count;
}

const holdsAny = async (session: Session, part: Part, table: TableShape): Promise<boolean> =>
  (await session.rows(`SELECT 1 FROM ${placeOf(part, table)} LIMIT 1`, [], LONG_MS)).length > 0;

const PATIENT = 'SET LOCAL idle_in_transaction_session_timeout = 0';

/** Everything as of one moment, while others go on writing. `only`: these parts. */
export function readPostgres<T>(
  database: Database,
  work: (source: Source) => Promise<T>,
  only: readonly Part[] = PARTS,
): Promise<T> {
  return database.transaction(
    async (session) => {
      await session.run(PATIENT);
      const parts: Part[] = [];
      for (const part of only) {
        let filled = part === 'access';
        for (const table of tablesOf(part)) filled ||= await holdsAny(session, part, table);
        if (filled) parts.push(part);
      }
      return work({
        name: database.shown,
        parts,
        count: (part, table) => countOf(session, part, table),
        rows: (part, table) => rowsOf(session, part, table),
      });
    },
    { snapshot: true },
  );
}

async function* rowsOf(session: Session, part: Part, table: TableShape): AsyncGenerator<readonly Row[]> {
  const columns = Object.keys(table.columns);
  await session.run(
    `DECLARE moved NO SCROLL CURSOR FOR SELECT ${columnList(table)} FROM ${placeOf(part, table)} ORDER BY ${keyList(table)}`,
  );
  for (;;) {
    const rows = await session.rows<Record<string, Cell>>(`FETCH ${ROWS_AT_ONCE} FROM moved`, [], LONG_MS);
    if (rows.length > 0) yield rows.map((row) => columns.map((column) => row[column] ?? null));
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await session.run('CLOSE moved');
}

/** Refuses a database that holds anything; what `work` puts is kept where it resolves. */
export function fillPostgres<T>(database: Database, work: (target: Target) => Promise<T>): Promise<T> {
  return database.transaction(async (session) => {
    await session.run(PATIENT);
    for (const part of PARTS)
      for (const table of tablesOf(part)) {
        if (await holdsAny(session, part, table))
          throw new StoreError(
            `${database.shown} is not empty: ${placeOf(part, table)} has rows. Import into a new database`,
          );
      }
    const put = putter(session, database);
    const result = await work({ name: database.shown, put, count: (part, table) => countOf(session, part, table) });
    for (const part of PARTS)
      for (const table of tablesOf(part)) if (table.counted) await goOnBehind(session, placeOf(part, table));
    return result;
  });
}

function putter(session: Transaction, database: Database): Target['put'] {
  const made = new Set<string>();
  return async (part, table, rows) => {
    const partitioned = PARTITIONED[table.name];
    if (partitioned) {
      const index = Object.keys(table.columns).indexOf(partitioned.column);
      for (const from of new Set(rows.map((row) => partitioned.by.at(row[index] as number).from))) {
        const partition = partitioned.by.at(from);
        const name = `${part} ${partition.name}`;
        if (!made.has(name)) await new Partitions(database, schemaOf(part)).make(session, partitioned.by, partition);
        made.add(name);
      }
    }
    const lines = rows.map((row) => `${row.map(copyCell).join('\t')}\n`).join('');
    await session.copy(`COPY ${placeOf(part, table)} (${columnList(table)}) FROM STDIN`, lines);
  };
}

/** The database gives out the next number itself. */
async function goOnBehind(session: Session, place: string): Promise<void> {
  await session.rows(
    `SELECT setval(pg_get_serial_sequence($1, 'id'), greatest((SELECT coalesce(max(id), 0) FROM ${place}), 1),
       (SELECT count(*) > 0 FROM ${place}))`,
    [place],
  );
}
