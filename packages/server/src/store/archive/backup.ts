// A backup of a store on PostgreSQL: an export of the accounts and one realm, read in one snapshot. `tickwire import` puts it
// into an empty database or data folder.
import { createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Realm } from '../../config.ts';
import type { Database } from '../postgres/database.ts';
import { explained } from '../sqlite/database.ts';
import { StoreError } from '../store.ts';
import { exportLines } from './export.ts';
import { writeLines } from './format.ts';
import { readPostgres } from './postgres-side.ts';
import { PARTS } from './shapes.ts';

export interface BackupOptions {
  readonly database: Database;
  readonly realm: Realm;
  /** The data folder, with the plain files of the realm. */
  readonly folder: string;
  readonly to: string;
}

export async function backupStore({ database, realm, folder, to }: BackupOptions): Promise<string[]> {
  const file = join(to, 'tickwire.export.gz');
  if (existsSync(file)) throw new StoreError(`${file} exists already: give an empty folder`);
  explained(file, () => mkdirSync(to, { recursive: true }));
  const parts = PARTS.filter((part) => part === 'access' || part === realm);
  await readPostgres(
    database,
    (source) =>
      writeLines(
        exportLines({ source, folder, at: Date.now() }),
        createWriteStream(file, { flags: 'wx', mode: 0o600 }),
      ),
    parts,
  );
  return [file];
}
