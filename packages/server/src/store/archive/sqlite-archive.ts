// Reads SQLite files for an export and fills them from one. Each file is read as of one moment, the tape last, because
// a restart expects a tape that is at least as new as the bars. A store is filled in a temporary folder and moved into
// place when complete.
import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../../errors/store-error.ts';
import { openSqliteDatabase } from '../sqlite/database.ts';
import { withFileErrors } from '../sqlite/errors.ts';
import type { Schema } from '../sqlite/migrate.ts';
import { ACCESS_SCHEMA, MARKET_SCHEMA, TAPE_SCHEMA } from '../sqlite/schema.ts';
import { SqliteTapeStore } from '../sqlite/tape-store.ts';
import { dayOf } from '../tape-day.ts';
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
} from './tables.ts';

const ROWS_AT_ONCE = 2_000;

const fileOf = (folder: string, part: ArchivePart): string =>
  part === 'access' ? join(folder, 'tickwire.db') : join(folder, part, 'market.db');
/** The tape has a file per day. */
const isTape = ({ name }: ArchiveTable): boolean => name === 'tape';

const countOf = (database: Database, table: ArchiveTable): number =>
  database.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${table.name}`).get()!.count;

const countDays = (tape: SqliteTapeStore, table: ArchiveTable): number =>
  tape.days().reduce((sum, day) => sum + countOf(tape.database(day), table), 0);

function* batchesOf(database: Database, table: ArchiveTable): Generator<readonly ArchiveRow[]> {
  let batch: ArchiveRow[] = [];
  const select = database.query<Record<string, ArchiveCell>, []>(
    `SELECT ${columnList(table)} FROM ${table.name} ORDER BY ${keyList(table)}`,
  );
  for (const row of select.iterate()) {
    batch.push(Object.values(row));
    if (batch.length < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

export async function readSqlite<T>(folder: string, work: (source: ArchiveSource) => Promise<T>): Promise<T> {
  if (!existsSync(fileOf(folder, 'access')))
    throw new StoreError(`${folder} contains no store: there is nothing to export`);
  const parts = PARTS.filter((part) => existsSync(fileOf(folder, part)));
  const opened = new Map<ArchivePart, Database>();
  const tapes = new Map(parts.map((part) => [part, new SqliteTapeStore(join(folder, part, 'tape'))] as const));
  try {
    for (const part of parts) {
      const schema = part === 'access' ? ACCESS_SCHEMA : MARKET_SCHEMA;
      const database = openSqliteDatabase(fileOf(folder, part), { schema });
      // The snapshot begins with the first read.
      withFileErrors(database.filename, () => database.run('BEGIN'));
      opened.set(part, database);
      database.query('SELECT 1 FROM sqlite_schema').get();
    }
    return await work({
      name: folder,
      parts,
      async count(table) {
        return isTape(table) ? countDays(tapes.get(table.part)!, table) : countOf(opened.get(table.part)!, table);
      },
      async *rows(table) {
        if (!isTape(table)) return yield* batchesOf(opened.get(table.part)!, table);
        const tape = tapes.get(table.part)!;
        for (const day of tape.days()) {
          const database = tape.database(day);
          database.run('BEGIN');
          let rows = 0;
          for (const batch of batchesOf(database, table)) {
            rows += batch.length;
            yield batch;
          }
          const stored = countOf(database, table);
          if (rows !== stored) throw new StoreError(`the tape of ${day} has ${stored} rows, but ${rows} were read`);
          database.run('COMMIT');
        }
      },
    });
  } finally {
    for (const tape of tapes.values()) tape.close();
    for (const database of opened.values()) database.close();
  }
}

/** Throws if the folder has a store. What `work` puts is kept if it resolves. */
export async function fillSqlite<T>(folder: string, work: (target: ArchiveTarget) => Promise<T>): Promise<T> {
  for (const part of PARTS) {
    const file = fileOf(folder, part);
    if (existsSync(file)) throw new StoreError(`${file} already exists: import into an empty data folder`);
  }
  const draft = join(folder, `importing.${process.pid}`);
  withFileErrors(draft, () => mkdirSync(draft, { recursive: true }));
  const files = new DraftFiles(draft);
  try {
    const result = await work({
      name: folder,
      put: async (table, rows) => files.put(table, rows),
      count: async (table) => files.count(table),
    });
    files.close();
    for (const part of files.parts) {
      if (part === 'access') renameSync(fileOf(draft, part), fileOf(folder, part));
      else {
        mkdirSync(join(folder, part), { recursive: true });
        for (const name of ['tape', 'market.db'].filter((each) => existsSync(join(draft, part, each))))
          renameSync(join(draft, part, name), join(folder, part, name));
      }
    }
    return result;
  } finally {
    files.close();
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The files of a store under construction. */
class DraftFiles {
  readonly #folder: string;
  readonly #open = new Map<string, Database>();
  readonly parts = new Set<ArchivePart>(['access']);

  constructor(folder: string) {
    this.#folder = folder;
    this.#database('access');
  }

  put(table: ArchiveTable, rows: readonly ArchiveRow[]): void {
    const database = this.#database(table.part);
    const minute = Object.keys(table.columns).indexOf('minute');
    if (!isTape(table)) insert(database, table, rows);
    else
      for (const [day, list] of Map.groupBy(rows, (row) => dayOf(row[minute] as number)))
        insert(this.#day(table.part, day), table, list);
  }

  count(table: ArchiveTable): number {
    if (!isTape(table)) return countOf(this.#database(table.part), table);
    const tape = new SqliteTapeStore(join(this.#folder, table.part, 'tape'));
    this.#closeDays();
    const count = countDays(tape, table);
    tape.close();
    return count;
  }

  close(): void {
    for (const name of [...this.#open.keys()]) this.#close(name);
  }

  #database(part: ArchivePart): Database {
    this.parts.add(part);
    return this.#opened(part, fileOf(this.#folder, part), part === 'access' ? ACCESS_SCHEMA : MARKET_SCHEMA);
  }

  #day(part: ArchivePart, day: string): Database {
    const name = `${part} ${day}`;
    // Rows come day by day, so the previous day is complete.
    if (!this.#open.has(name)) this.#closeDays();
    return this.#opened(name, join(this.#folder, part, 'tape', `${day}.db`), TAPE_SCHEMA);
  }

  #opened(name: string, file: string, schema: Schema): Database {
    const known = this.#open.get(name);
    if (known) return known;
    const database = openSqliteDatabase(file, { schema });
    database.run('BEGIN');
    this.#open.set(name, database);
    return database;
  }

  #closeDays(): void {
    for (const name of [...this.#open.keys()]) if (name.includes(' ')) this.#close(name);
  }

  #close(name: string): void {
    const database = this.#open.get(name)!;
    this.#open.delete(name);
    withFileErrors(database.filename, () => {
      if (database.inTransaction) database.run('COMMIT');
      // Merges the write-ahead log into the file, which is about to be moved.
      database.run('PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
    });
  }
}

function insert(database: Database, table: ArchiveTable, rows: readonly ArchiveRow[]): void {
  const marks = Object.keys(table.columns).map(() => '?');
  withFileErrors(database.filename, () => {
    const put = database.query(`INSERT INTO ${table.name} (${columnList(table)}) VALUES (${marks.join(', ')})`);
    for (const row of rows) put.run(...(row as SQLQueryBindings[]));
  });
}
