// `tickwire backup FOLDER`: a consistent copy of all stored data, also while the service runs.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StoreError } from '../errors/store-error.ts';
import { openStore } from '../store/open-store.ts';
import { printHelp, readArguments, UsageError } from './arguments.ts';

const HELP = `tickwire backup FOLDER

Copies accounts, keys, bars, the tape, and signals with their evidence and the key that signs their log into an empty
folder, also while the service runs. To restore, stop the service and replace the data folder by the copy. Keep the copy as
safe as the original. For a store on PostgreSQL the copy is an export for "tickwire import"; for a large database, pg_dump
is faster.
`;

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
  const store = await openStore(config, { role: 'command' });
  try {
    const files = await store.backup(folder);
    await store.access.audit({ at: Date.now(), actor: 'command line', act: 'backup made', subject: folder });
    for (const file of files) process.stdout.write(`${file}\n`);
    process.stdout.write(`${files.length} files copied.\n`);
    return 0;
  } finally {
    await store.close();
  }
}
