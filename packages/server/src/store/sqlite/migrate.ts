// Brings a SQLite file to the current schema. The file's `user_version` is the number of schema steps it has taken.
import type { Database } from 'bun:sqlite';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StoreError } from '../../errors/store-error.ts';

/** A step that also computes values which SQL cannot. */
export interface FilledStep {
  readonly sql: string;
  /** Runs after the SQL, in the same transaction. */
  readonly fill: (database: Database) => void;
}

/** Steps of a schema, oldest first. A released step never changes. */
export type Schema = readonly (string | FilledStep)[];

export interface MigrationOptions {
  readonly schema: Schema;
  /** Folder for the copy that is made before an older file is migrated. */
  readonly backups: string;
  /** Called after an existing file was migrated, with the path of its copy. */
  readonly onMigrated?: (file: string, from: number, to: number, copy: string) => void;
}

export const schemaVersionOf = (database: Database): number =>
  database.query<{ user_version: number }, []>('PRAGMA user_version').get()!.user_version;

export function migrateSchema(
  database: Database,
  file: string,
  { schema, backups, onMigrated }: MigrationOptions,
): void {
  const version = schemaVersionOf(database);
  rejectNewer(file, version, schema);
  if (version === schema.length) return;
  let copy = '';
  if (version > 0) {
    mkdirSync(backups, { recursive: true });
    // Two processes may migrate at the same time: each makes its own copy.
    const moment = `${new Date().toISOString().replaceAll(':', '')}.${process.pid}`;
    copy = join(backups, `${basename(file, '.db')}.v${version}.${moment}.db`);
    database.query('VACUUM INTO ?').run(copy);
  }
  // One transaction: a step that fails leaves the file unchanged.
  const found = database
    .transaction(() => {
      // Another process, perhaps of a newer release, may have migrated the file while this one waited for the lock.
      const current = schemaVersionOf(database);
      rejectNewer(file, current, schema);
      for (const step of schema.slice(current)) {
        database.run(typeof step === 'string' ? step : step.sql);
        if (typeof step !== 'string') step.fill(database);
      }
      database.run(`PRAGMA user_version = ${schema.length}`);
      return current;
    })
    .immediate();
  if (version > 0 && found < schema.length) onMigrated?.(file, version, schema.length, copy);
}

function rejectNewer(file: string, version: number, schema: Schema): void {
  if (version <= schema.length) return;
  throw new StoreError(
    `${file} has schema version ${version}, this Tickwire knows ${schema.length}: run the newer release, or restore a backup`,
  );
}
