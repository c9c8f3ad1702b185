// An embedded store as either end of a move. It is read file by file, each as of one moment, the tape last: a tape that is a
// moment newer than the bars is what a restart expects. It is filled in a folder beside its place, and moved there when whole.
import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { explained, openDatabase } from '../sqlite/database.ts';
import { ACCESS_SCHEMA, MARKET_SCHEMA, TAPE_SCHEMA } from '../sqlite/schema.ts';
import { TapeFiles } from '../sqlite/tape-files.ts';
import { StoreError } from '../store.ts';
import { dayOf } from '../tape-day.ts';
import { checkCount } from './export.ts';
import { columnList, keyList, PARTS, type Part, TAPE, type TableShape } from './shapes.ts';
import type { Cell, Row, Source, Target } from './sides.ts';

const ROWS_AT_ONCE = 2_000;

const fileOf = (folder: string, part: Part): string =>
  part === 'access' ? join(folder, 'tickwire.db') : join(folder, part, 'market.db');
/** Blocks of the tape have a table of another name in a file per day. */
const nameOf = (table: TableShape): string => (table === TAPE ? 'blocks' : table.name);

const countOf = (database: Database, table: TableShape): number =>
  database.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${nameOf(table)}`).get()!.count;

function* batchesOf(database: Database, table: TableShape): Generator<readonly Row[]> {
  let batch: Row[] = [];
  const select = database.query<Record<string, Cell>, []>(
    `SELECT ${columnList(table)} FROM ${nameOf(table)} ORDER BY ${keyList(table)}`,
  );
  for (const row of select.iterate()) {
    batch.push(Object.values(row));
    if (batch.length < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

export async function readSqlite<T>(folder: string, work: (source: Source) => Promise<T>): Promise<T> {
  if (!existsSync(fileOf(folder, 'access')))
    throw new StoreError(`${folder} holds no store: nothing is there to export`);
  const parts = PARTS.filter((part) => existsSync(fileOf(folder, part)));
  const backups = join(folder, 'backups');
  const opened = new Map<Part, Database>();
  const tapes = new Map(parts.map((part) => [part, new TapeFiles(join(folder, part, 'tape'), { backups })] as const));
  try {
    for (const part of parts) {
      const schema = part === 'access' ? ACCESS_SCHEMA : MARKET_SCHEMA;
      const database = openDatabase(fileOf(folder, part), { schema, backups });
      // The moment that is read begins with the first look.
      explained(database.filename, () => database.run('BEGIN'));
      opened.set(part, database);
      database.query('SELECT 1 FROM sqlite_schema').get();
    }
    return await work({
      name: folder,
      parts,
      async count(part, table) {
        const database = opened.get(part)!;
        if (table !== TAPE) return countOf(database, table);
        const tape = tapes.get(part)!;
        return tape.days().reduce((sum, day) => sum + countOf(tape.database(day), table), 0);
      },
      async *rows(part, table) {
        if (table !== TAPE) return yield* batchesOf(opened.get(part)!, table);
        const tape = tapes.get(part)!;
        for (const day of tape.days()) {
          const database = tape.database(day);
          database.run('BEGIN');
          let rows = 0;
          for (const batch of batchesOf(database, table)) {
            rows += batch.length;
            yield batch;
          }
          checkCount(`the tape of ${day}`, rows, countOf(database, table));
          database.run('COMMIT');
        }
      },
    });
  } finally {
    for (const tape of tapes.values()) tape.close();
    for (const database of opened.values()) database.close();
  }
}

/** Refuses a folder that has a store; what `work` puts is kept where it resolves. */
export async function fillSqlite<T>(folder: string, work: (target: Target) => Promise<T>): Promise<T> {
  for (const part of PARTS) {
    const file = fileOf(folder, part);
    if (existsSync(file)) throw new StoreError(`${file} exists already: import into an empty data folder`);
  }
  const draft = join(folder, `importing.${process.pid}`);
  explained(draft, () => mkdirSync(draft, { recursive: true }));
  const files = new DraftFiles(draft);
  try {
    const result = await work({
      name: folder,
      put: async (part, table, rows) => files.put(part, table, rows),
      count: async (part, table) => files.count(part, table),
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

/** The files of a store that is being made. */
class DraftFiles {
  readonly #folder: string;
  readonly #open = new Map<string, Database>();
  readonly parts = new Set<Part>(['access']);

  constructor(folder: string) {
    this.#folder = folder;
    this.#database('access');
  }

  put(part: Part, table: TableShape, rows: readonly Row[]): void {
    this.parts.add(part);
    const database = this.#database(part);
    if (table !== TAPE) {
      insert(database, table, rows);
      return;
    }
    const minute = Object.keys(TAPE.columns).indexOf('minute');
    for (const [day, list] of Map.groupBy(rows, (row) => dayOf(row[minute] as number)))
      insert(this.#day(part, day), table, list);
  }

  count(part: Part, table: TableShape): number {
    if (table !== TAPE) return countOf(this.#database(part), table);
    const tape = new TapeFiles(join(this.#folder, part, 'tape'), { backups: this.#folder });
    this.#closeDays();
    const count = tape.days().reduce((sum, day) => sum + countOf(tape.database(day), table), 0);
    tape.close();
    return count;
  }

  close(): void {
    for (const name of [...this.#open.keys()]) this.#close(name);
  }

  #database(part: Part): Database {
    this.parts.add(part);
    return this.#opened(part, fileOf(this.#folder, part), part === 'access' ? ACCESS_SCHEMA : MARKET_SCHEMA);
  }

  #day(part: Part, day: string): Database {
    const name = `${part} ${day}`;
    // Rows come day by day: the one before is done.
    if (!this.#open.has(name)) this.#closeDays();
    return this.#opened(name, join(this.#folder, part, 'tape', `${day}.db`), TAPE_SCHEMA);
  }

  #opened(name: string, file: string, schema: readonly string[]): Database {
    const known = this.#open.get(name);
    if (known) return known;
    const database = openDatabase(file, { schema, backups: this.#folder });
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
    explained(database.filename, () => {
      if (database.inTransaction) database.run('COMMIT');
      // Into the file itself, which is about to be moved.
      database.run('PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
    });
  }
}

function insert(database: Database, table: TableShape, rows: readonly Row[]): void {
  const marks = Object.keys(table.columns).map(() => '?');
  explained(database.filename, () => {
    const put = database.query(`INSERT INTO ${nameOf(table)} (${columnList(table)}) VALUES (${marks.join(', ')})`);
    for (const row of rows) put.run(...(row as SQLQueryBindings[]));
  });
}
