// The backup of a PostgreSQL store: an export of the accounts and one realm, read in one snapshot. `tickwire import`
// loads it into an empty database or data folder.
import { createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Realm } from '../../config/config.ts';
import { StoreError } from '../../errors/store-error.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { withFileErrors } from '../sqlite/errors.ts';
import { exportArchive } from './export.ts';
import { writeArchive } from './format.ts';
import { readPostgres } from './postgres-archive.ts';
import { PARTS } from './tables.ts';

export interface BackupOptions {
  readonly database: PostgresDatabase;
  readonly realm: Realm;
  /** The data folder, with the plain files of the realm. */
  readonly folder: string;
  readonly to: string;
}

export async function backupPostgres({ database, realm, folder, to }: BackupOptions): Promise<string[]> {
  const file = join(to, 'tickwire.export.gz');
  if (existsSync(file)) throw new StoreError(`${file} already exists: give an empty folder`);
  withFileErrors(file, () => mkdirSync(to, { recursive: true }));
  const parts = PARTS.filter((part) => part === 'access' || part === realm);
  await readPostgres(
    database,
    (source) =>
      writeArchive(
        exportArchive({ source, folder, at: Date.now() }),
        createWriteStream(file, { flags: 'wx', mode: 0o600 }),
      ),
    parts,
  );
  return [file];
}
