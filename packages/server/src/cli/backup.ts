// `tickwire backup FOLDER`: a consistent copy of everything stored, while the service runs.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { openStore } from '../store/open.ts';
import { StoreError } from '../store/store.ts';
import { readArguments, UsageError } from './arguments.ts';

const HELP = `tickwire backup FOLDER

Copies accounts, keys, bars, the tape, and signals with their evidence and the key that signs their log into an empty
folder. To restore, stop the service and put the copy in place of the data folder. Keep it as safe as the original.
Of a store on PostgreSQL the copy is an export, for "tickwire import"; of a large one, pg_dump is the faster backup.
`;

export async function backup(args: string[]): Promise<number> {
  const { words, on, config: read } = readArguments(args, {});
  if (on.has('help')) {
    process.stdout.write(HELP);
    return 0;
  }
  if (words.length !== 1) throw new UsageError('usage: tickwire backup FOLDER');
  const folder = resolve(words[0]!);
  const config = read();
  if (config.database_url === null && !existsSync(config.data))
    throw new StoreError(`${config.data} does not exist: nothing is stored there`);
  if (existsSync(folder) && (!statSync(folder).isDirectory() || readdirSync(folder).length > 0))
    throw new StoreError(`${folder} is not empty: give an empty folder`);
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
