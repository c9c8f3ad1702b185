// `tickwire backup FOLDER`: a consistent copy of all stored data, also while the service runs.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, variableName } from '../config/config.ts';
import { SchemaError, StoreError } from '../errors/store-error.ts';
import { backUpStore } from '../store/archive/back-up.ts';
import { openAccessStore } from '../store/open-store.ts';
import { printHelp, readArguments, UsageError } from './arguments.ts';

const HELP = `tickwire backup FOLDER

Copies accounts, keys, the instruments file, and for simulated and live markets the bars, the tape, news, alerts, and
signals with their evidence and the key that signs their log into an empty folder, also while the service runs. To restore,
stop the service and replace the data folder by the copy. Keep the copy as safe as the original. Files of another release
are copied as they are. For a store on PostgreSQL the copy is an export for "tickwire import"; for a large database, pg_dump
is faster. Not included: the configuration, and key files that it names.
`;

/** Settings that name a key outside of the data folder. */
const KEY_FILES = ['log_key', 'delivery_key', 'two_factor_key'] as const;

export async function backup(args: string[]): Promise<number> {
  const { words, on, config: read } = readArguments(args, {});
  if (printHelp(on, HELP)) return 0;
  if (words.length !== 1) throw new UsageError('usage: tickwire backup FOLDER');
  const folder = resolve(words[0]!);
  const config = read();
  if (config.database_url === null && !existsSync(config.data))
    throw new StoreError(`there is no data to back up: ${config.data} does not exist`);
  if (existsSync(folder) && (!statSync(folder).isDirectory() || readdirSync(folder).length > 0))
    throw new StoreError(`${folder} is not an empty folder; choose an empty or new one`);
  const files = await backUpStore(config, folder);
  if (files.length === 0) throw new StoreError(`there is no data to back up: ${config.data} contains no store`);
  for (const file of files) process.stdout.write(`${file}\n`);
  process.stdout.write(`${files.length} files copied.\n`);
  for (const setting of KEY_FILES)
    if (config[setting] !== null)
      process.stdout.write(
        `Not included: ${config[setting]} (${variableName(setting)}). Keep a copy of it elsewhere.\n`,
      );
  await recordInAuditLog(config, folder);
  return 0;
}

/** A store of another release is copied too, but not changed. */
async function recordInAuditLog(config: Config, folder: string): Promise<void> {
  try {
    await using opened = await openAccessStore(config);
    await opened.access.audit({ at: Date.now(), actor: 'command line', action: 'backup made', subject: folder });
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    process.stderr.write(`tickwire: the backup is complete, but not in the audit log: ${error.message}\n`);
  }
}
