// Opening SQLite files: settings, schema, and every failure in words that say what to do.
import { Database, SQLiteError } from 'bun:sqlite';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StoreError } from '../store.ts';

/** How long a statement waits for another process before it gives up. */
const BUSY_MS = 3_000;
/** The service answers nobody while it waits, and tries again anyway. */
export const SERVICE_BUSY_MS = 100;

// Statements that a connection keeps compiled: market.db alone has more than the runtime's 20, and they would push each
// other out.
Database.MAX_QUERY_CACHE_SIZE = 100;

/** Steps of a schema, oldest first; the version of a file is how many it has taken. A step is never changed once released. */
export type Schema = readonly string[];

export interface OpenOptions {
  readonly schema: Schema;
  /** Where a copy goes before an older schema is migrated. */
  readonly backups: string;
  /** How long statements wait for another process once the file is open. */
  readonly busyMs?: number;
  /** A commit survives a power cut too: each waits for the disk. */
  readonly durable?: boolean;
  /** Told once where a migration was done. */
  readonly onMigrated?: (file: string, from: number, to: number, copy: string) => void;
}

export function openDatabase(file: string, options: OpenOptions): Database {
  return explained(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    const database = new Database(file, { create: true, strict: true });
    try {
      database.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
      // With a write-ahead log a commit survives the death of the process without a sync of its own, and readers in
      // other processes (backup, command line) never wait for the writer.
      useWriteAheadLog(database);
      database.run(`PRAGMA synchronous = ${options.durable ? 'FULL' : 'NORMAL'}`);
      database.run('PRAGMA foreign_keys = ON');
      migrate(database, file, options);
      if (options.busyMs !== undefined) database.run(`PRAGMA busy_timeout = ${options.busyMs}`);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Two processes may make a file at once, and for this change SQLite itself does not wait. */
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

const isBusy = (error: unknown): boolean =>
  error instanceof SQLiteError && /SQLITE_(BUSY|LOCKED)/.test(error.code ?? '');

export const versionOf = (database: Database): number =>
  database.query<{ user_version: number }, []>('PRAGMA user_version').get()!.user_version;

function migrate(database: Database, file: string, { schema, backups, onMigrated }: OpenOptions): void {
  const version = versionOf(database);
  refuseNewer(file, version, schema);
  if (version === schema.length) return;
  let copy = '';
  if (version > 0) {
    mkdirSync(backups, { recursive: true });
    // Two processes may come to this at once: each makes a copy of its own.
    const moment = `${new Date().toISOString().replaceAll(':', '')}.${process.pid}`;
    copy = join(backups, `${basename(file, '.db')}.v${version}.${moment}.db`);
    database.query('VACUUM INTO ?').run(copy);
  }
  // One transaction: a step that fails leaves the file as it was.
  const found = database
    .transaction(() => {
      // Another process may have been faster while we waited for the lock, or newer.
      const current = versionOf(database);
      refuseNewer(file, current, schema);
      for (const step of schema.slice(current)) database.run(step);
      database.run(`PRAGMA user_version = ${schema.length}`);
      return current;
    })
    .immediate();
  if (version > 0 && found < schema.length) onMigrated?.(file, version, schema.length, copy);
}

function refuseNewer(file: string, version: number, schema: Schema): void {
  if (version <= schema.length) return;
  throw new StoreError(
    `${file} has schema version ${version}, this Tickwire knows ${schema.length}: run the newer release, or restore a backup`,
  );
}

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/SQLITE_(BUSY|LOCKED)/, 'is locked by another process: stop it, or wait until it is done'],
  [/SQLITE_(CORRUPT|NOTADB)/, 'is not a sound database: move it away and restore a backup, or start without it'],
  [/SQLITE_FULL/, 'cannot grow: the disk is full'],
  [/SQLITE_(READONLY|PERM|CANTOPEN|AUTH)/, 'cannot be opened for writing: check the folder and its permissions'],
  [/SQLITE_IOERR/, 'cannot be read or written: check the disk'],
];

/** Runs `work` and turns SQLite's and the file system's failures into a StoreError that names the file and a remedy. */
export function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explain(file, error);
  }
}

export function explain(file: string, error: unknown): unknown {
  if (error instanceof SQLiteError) {
    const code = error.code ?? `SQLITE_${error.errno}`;
    const remedy = REMEDIES.find(([pattern]) => pattern.test(code))?.[1];
    return new StoreError(`${file} ${remedy ?? `failed: ${error.message}`} (${code})`, { cause: error });
  }
  const code = (error as NodeJS.ErrnoException)?.code;
  if (code === 'ENOSPC') return new StoreError(`${file} cannot grow: the disk is full (ENOSPC)`, { cause: error });
  // The rest of the file system's: EACCES, EROFS, ENOTDIR, EEXIST, ENAMETOOLONG and their kin.
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    return new StoreError(`${file} cannot be made: check the folder and its permissions (${code})`, { cause: error });
  }
  return error;
}

/** Held for the life of a service, freed by the system if it dies: two services cannot write one folder. */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'service.lock');
  return explained(file, () => {
    mkdirSync(folder, { recursive: true });
    const database = new Database(file, { create: true });
    try {
      database.run('PRAGMA locking_mode = EXCLUSIVE');
      database.run('BEGIN EXCLUSIVE');
      return () => database.close();
    } catch (error) {
      database.close();
      if (!isBusy(error)) throw error;
      throw new StoreError(`${folder} is in use by another Tickwire: stop it, or set TICKWIRE_DATA to another folder`);
    }
  });
}

/** A consistent copy of a live database. */
export function copyDatabase(database: Database, to: string): void {
  if (existsSync(to)) throw new StoreError(`${to} exists already: give an empty folder`);
  explained(to, () => {
    mkdirSync(dirname(to), { recursive: true });
    database.query('VACUUM INTO ?').run(to);
  });
}
