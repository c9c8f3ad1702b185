// Opens and copies SQLite files.
import { Database } from 'bun:sqlite';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../../errors/store-error.ts';
import { isBusy, withFileErrors } from './errors.ts';
import { type MigrationOptions, prepareSchema } from './migrate.ts';

/** How long a statement waits for a lock of another process. */
const BUSY_MS = 3_000;
/** The same for the service: it answers no requests while it waits, and retries anyway. */
export const SERVICE_BUSY_MS = 100;

// Compiled statements cached per connection. The default is 20; market.db alone uses more.
Database.MAX_QUERY_CACHE_SIZE = 100;

export interface OpenOptions extends MigrationOptions {
  /** How long statements wait for a lock once the file is open. Default 3 s. */
  readonly busyMs?: number;
  /** Sync the disk at each commit, so that a commit survives a power cut. */
  readonly durable?: boolean;
}

export function openSqliteDatabase(file: string, options: OpenOptions): Database {
  return withFileErrors(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    const database = new Database(file, { create: true, strict: true });
    try {
      database.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
      // With a write-ahead log, a commit survives the death of the process without a disk sync, and readers in other
      // processes (backup, command line) never wait for the writer.
      useWriteAheadLog(database);
      database.run(`PRAGMA synchronous = ${options.durable ? 'FULL' : 'NORMAL'}`);
      database.run('PRAGMA foreign_keys = ON');
      prepareSchema(database, file, options);
      if (options.busyMs !== undefined) database.run(`PRAGMA busy_timeout = ${options.busyMs}`);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** SQLite ignores `busy_timeout` for this change, and two processes may create a file at the same time. */
function useWriteAheadLog(database: Database): void {
  const deadline = Date.now() + BUSY_MS;
  for (;;) {
    try {
      database.run('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() >= deadline) throw error;
      Bun.sleepSync(10);
    }
  }
}

/** Writes a consistent copy of a file that may be in use, whatever its schema is. */
export function copyDatabase(from: string, to: string): void {
  if (existsSync(to)) throw new StoreError(`${to} already exists: give an empty folder`);
  using database = withFileErrors(from, () => new Database(from, { readwrite: true }));
  withFileErrors(to, () => {
    database.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
    mkdirSync(dirname(to), { recursive: true });
    database.query('VACUUM INTO ?').run(to);
  });
}
