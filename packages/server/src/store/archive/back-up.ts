// A backup of the configured store: a copy of the files of SQLite, or an export of PostgreSQL, which `tickwire import` loads.
import { createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { StoreError } from '../../errors/store-error.ts';
import { withFileErrors } from '../sqlite/errors.ts';
import { copySqliteStore } from '../sqlite/open-sqlite-store.ts';
import { readStore } from './archive-store.ts';
import { exportArchive } from './export.ts';
import { writeArchive } from './format.ts';

/** Copies everything that is stored to an empty folder, while others use it. Returns the files written. */
export async function backUpStore(
  config: Pick<Config, 'data' | 'database_url' | 'instruments'>,
  to: string,
): Promise<string[]> {
  if (config.database_url === null) return copySqliteStore(config, to);
  const file = join(to, 'tickwire.export.gz');
  if (existsSync(file)) throw new StoreError(`${file} already exists: give an empty folder`);
  withFileErrors(file, () => mkdirSync(to, { recursive: true }));
  await readStore(config, (source) =>
    writeArchive(
      exportArchive({ source, files: config, at: Date.now() }),
      createWriteStream(file, { flags: 'wx', mode: 0o600 }),
    ),
  );
  return [file];
}
