// Reads PostgreSQL for an export (in one snapshot) and fills it from one (in one transaction).
import { StoreError } from '../../errors/store-error.ts';
import { copyCell } from '../postgres/copy.ts';
import { LONG_MS, type PostgresDatabase, type SqlSession, type SqlTransaction } from '../postgres/database.ts';
import {
  BARS_BY_YEAR,
  HISTOGRAMS_BY_YEAR,
  type Partitioning,
  Partitions,
  TAPE_BY_DAY,
} from '../postgres/partitions.ts';
import { ACCESS_SCHEMA_NAME } from '../postgres/schema.ts';
import {
  type ArchiveCell,
  type ArchivePart,
  type ArchiveRow,
  type ArchiveSource,
  type ArchiveTable,
  type ArchiveTarget,
  columnList,
  keyList,
  PARTS,
  TABLES,
  tablesOf,
} from './tables.ts';

const ROWS_AT_ONCE = 2_000;
/** Partitioned tables and the column they are partitioned by. */
const PARTITIONED: Readonly<Record<string, { readonly by: Partitioning; readonly column: string }>> = {
  bars: { by: BARS_BY_YEAR, column: 'time' },
  histograms: { by: HISTOGRAMS_BY_YEAR, column: 'time' },
  tape: { by: TAPE_BY_DAY, column: 'minute' },
};

const schemaOf = (part: ArchivePart): string => (part === 'access' ? ACCESS_SCHEMA_NAME : part);
const tablePath = ({ part, name }: ArchiveTable): string => `${schemaOf(part)}.${name}`;

async function countOf(session: SqlSession, table: ArchiveTable): Promise<number> {
  const [row] = await session.rows<{ count: number }>(`SELECT count(*) AS count FROM ${tablePath(table)}`, [], LONG_MS);
  return row!.count;
}

const holdsAny = async (session: SqlSession, table: ArchiveTable): Promise<boolean> =>
  (await session.rows(`SELECT 1 FROM ${tablePath(table)} LIMIT 1`, [], LONG_MS)).length > 0;

const NO_IDLE_TIMEOUT = 'SET LOCAL idle_in_transaction_session_timeout = 0';

/** Reads everything as of one moment, while others keep writing. */
export function readPostgres<T>(database: PostgresDatabase, work: (source: ArchiveSource) => Promise<T>): Promise<T> {
  return database.transaction(
    async (session) => {
      await session.run(NO_IDLE_TIMEOUT);
      const parts: ArchivePart[] = [];
      for (const part of PARTS) {
        let filled = part === 'access';
        for (const table of tablesOf(part)) filled ||= await holdsAny(session, table);
        if (filled) parts.push(part);
      }
      return work({
        name: database.shown,
        parts,
        count: (table) => countOf(session, table),
        rows: (table) => rowsOf(session, table),
      });
    },
    { snapshot: true },
  );
}

async function* rowsOf(session: SqlSession, table: ArchiveTable): AsyncGenerator<readonly ArchiveRow[]> {
  const columns = Object.keys(table.columns);
  await session.run(
    `DECLARE exported NO SCROLL CURSOR FOR SELECT ${columnList(table)} FROM ${tablePath(table)} ORDER BY ${keyList(table)}`,
  );
  for (;;) {
    const rows = await session.rows<Record<string, ArchiveCell>>(`FETCH ${ROWS_AT_ONCE} FROM exported`, [], LONG_MS);
    if (rows.length > 0) yield rows.map((row) => columns.map((column) => row[column] ?? null));
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await session.run('CLOSE exported');
}

/** Throws if the database contains any rows. What `work` puts is committed if it resolves. */
export function fillPostgres<T>(database: PostgresDatabase, work: (target: ArchiveTarget) => Promise<T>): Promise<T> {
  return database.transaction(async (session) => {
    await session.run(NO_IDLE_TIMEOUT);
    for (const table of TABLES)
      if (await holdsAny(session, table))
        throw new StoreError(
          `${database.shown} is not empty: ${tablePath(table)} has rows. Import into a new database`,
        );
    const put = putter(session, database);
    const result = await work({ name: database.shown, put, count: (table) => countOf(session, table) });
    for (const table of TABLES) if (table.counted) await continueSequence(session, table);
    return result;
  });
}

function putter(session: SqlTransaction, database: PostgresDatabase): ArchiveTarget['put'] {
  const created = new Set<string>();
  return async (table, rows) => {
    const partitioned = PARTITIONED[table.name];
    if (partitioned) {
      const index = Object.keys(table.columns).indexOf(partitioned.column);
      for (const from of new Set(rows.map((row) => partitioned.by.at(row[index] as number).from))) {
        const partition = partitioned.by.at(from);
        const name = `${table.part} ${partition.name}`;
        if (!created.has(name))
          await new Partitions(database, schemaOf(table.part)).create(session, partitioned.by, partition);
        created.add(name);
      }
    }
    const lines = rows.map((row) => `${row.map(copyCell).join('\t')}\n`).join('');
    await session.copy(`COPY ${tablePath(table)} (${columnList(table)}) FROM STDIN`, lines);
  };
}

/** Makes the identity column of a table continue behind the imported ids. */
async function continueSequence(session: SqlSession, table: ArchiveTable): Promise<void> {
  const [place, key] = [tablePath(table), table.key[0]!];
  await session.rows(
    `SELECT setval(pg_get_serial_sequence($1, $2), greatest((SELECT coalesce(max(${key}), 0) FROM ${place}), 1),
       (SELECT count(*) > 0 FROM ${place}))`,
    [place, key],
  );
}
