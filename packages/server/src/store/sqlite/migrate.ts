// Brings a SQLite file to the current schema. The file's `user_version` is 1 more than the number of steps it has taken.
import type { Database } from 'bun:sqlite';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SchemaError } from '../../errors/store-error.ts';

export interface Schema {
  /** Creates the tables of a new file, with all steps taken. */
  readonly create: string;
  /** What changed since the first version, oldest first. A released step never changes. */
  readonly steps: readonly string[];
}

export const versionOf = ({ steps }: Schema): number => 1 + steps.length;

/** Identifies the files of Tickwire ("TikW"). Those of development versions before the first release have other tables and 0, "Tick" or "TicW". */
const APPLICATION_ID = 0x54696b57;

/** The migration of older files, for the service that holds the lock of the folder. */
export interface Migration {
  /** Folder for the copy that is made before a file is migrated. */
  readonly backups: string;
  /** Called after an existing file was migrated, with the path of its copy. */
  readonly onMigrated: (file: string, from: number, to: number, copy: string) => void;
  /** Locks out others that use the file; returns the function that lets them in again. */
  readonly lock?: () => () => void;
}

export interface MigrationOptions {
  readonly schema: Schema;
  /** Without it, an older file is refused. A new file is created in any case. */
  readonly migration?: Migration | undefined;
}

export const schemaVersionOf = (database: Database): number =>
  database.query<{ user_version: number }, []>('PRAGMA user_version').get()!.user_version;

/** Creates the tables of a new file, and migrates an older one. */
export function prepareSchema(database: Database, file: string, { schema, migration }: MigrationOptions): void {
  rejectForeign(file, database, schema);
  const newest = versionOf(schema);
  const version = schemaVersionOf(database);
  if (version === newest) return;
  if (version > 0) rejectOlder(file, version, newest, migration);
  const unlock = version > 0 ? migration?.lock?.() : undefined;
  try {
    const copy = version > 0 ? copyBefore(database, file, version, migration!.backups) : '';
    // One transaction: a step that fails leaves the file unchanged.
    const found = database
      .transaction(() => {
        // Another process may have created or migrated the file while this one waited for it.
        rejectForeign(file, database, schema);
        const current = schemaVersionOf(database);
        if (current > 0 && current < newest) rejectOlder(file, current, newest, migration);
        for (const sql of current === 0 ? [schema.create] : schema.steps.slice(current - 1)) database.run(sql);
        database.run(`PRAGMA application_id = ${APPLICATION_ID}`);
        database.run(`PRAGMA user_version = ${newest}`);
        return current;
      })
      .immediate();
    if (version > 0 && found < newest) migration!.onMigrated(file, version, newest, copy);
  } finally {
    unlock?.();
  }
}

/** Two processes may migrate at the same time: each makes its own copy. */
function copyBefore(database: Database, file: string, version: number, backups: string): string {
  mkdirSync(backups, { recursive: true });
  const moment = `${new Date().toISOString().replaceAll(':', '')}.${process.pid}`;
  const copy = join(backups, `${basename(file, '.db')}.v${version}.${moment}.db`);
  database.query('VACUUM INTO ?').run(copy);
  return copy;
}

/** Throws if a newer release, or a development version before the first release, has written the file. */
export function rejectForeign(file: string, database: Database, schema: Schema): void {
  // The version first: another process may be creating the file.
  const version = schemaVersionOf(database);
  const { application_id } = database.query<{ application_id: number }, []>('PRAGMA application_id').get()!;
  if (application_id !== APPLICATION_ID && version !== 0)
    throw new SchemaError(
      `${file} was written by an earlier development version of Tickwire, which this version cannot read: move the data folder away, or set TICKWIRE_DATA to another one`,
    );
  if (version > versionOf(schema))
    throw new SchemaError(
      `${file} has schema version ${version}, this Tickwire knows ${versionOf(schema)}: run the newer release, or restore a backup`,
    );
}

function rejectOlder(file: string, version: number, newest: number, migration: Migration | undefined): void {
  if (migration) return;
  throw new SchemaError(
    `${file} has schema version ${version}, this Tickwire needs ${newest}: use the release that the service runs, or start "tickwire serve" of this one, which migrates the folder`,
  );
}
