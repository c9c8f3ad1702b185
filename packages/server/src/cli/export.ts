// `tickwire export FILE`: everything stored, in one file that `tickwire import` puts into another store.
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { count, Progress } from '../import/progress.ts';
import { readStore } from '../store/archive/ends.ts';
import { exportLines } from '../store/archive/export.ts';
import { type Ending, writeLines } from '../store/archive/format.ts';
import { openAccessStore } from '../store/open.ts';
import { StoreError } from '../store/store.ts';
import { readArguments, UsageError } from './arguments.ts';
import { table } from './table.ts';

const HELP = `tickwire export FILE        (-: to standard output)

Writes everything stored into one file: accounts, keys and what they used, and of simulated and real markets the bars, the
tape, signals with their evidence and the key that signs their log, and news. "tickwire import FILE" puts it into an empty
store, here or elsewhere, embedded or on PostgreSQL. To move an installation, stop the service, and export it and import
it with TICKWIRE_DATABASE_URL set:

  tickwire export - | TICKWIRE_DATABASE_URL=postgres://… tickwire import -

What a service writes meanwhile is not in it. Keep the file as safe as the original.
`;

export async function exportStore(args: string[]): Promise<number> {
  const { words, on, config: read } = readArguments(args, {});
  if (on.has('help')) {
    process.stdout.write(HELP);
    return 0;
  }
  if (words.length !== 1) throw new UsageError('usage: tickwire export FILE (-: to standard output)');
  const config = read();
  const toOutput = words[0] === '-';
  const file = resolve(words[0]!);
  if (!toOutput && existsSync(file)) throw new StoreError(`${file} exists already: give another name`);
  const draft = `${file}.part`;
  const progress = new Progress({
    label: 'export',
    terminal: process.stderr.isTTY,
    write: (text) => process.stderr.write(text),
  });
  let ending: Ending | null = null;
  try {
    await readStore(config, (source) =>
      writeLines(
        exportLines({
          source,
          folder: config.data,
          at: Date.now(),
          onProgress: (done, total) => progress.update(done, total, done),
          onEnd: (counts) => {
            ending = counts;
          },
        }),
        toOutput ? process.stdout : createWriteStream(draft, { mode: 0o600 }),
      ),
    );
    if (!toOutput) renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    progress.end();
  }
  const { counts, files } = ending!;
  const rows = Object.entries(counts).map(([name, rows]): [string, string] => [name, count(rows)]);
  (toOutput ? process.stderr : process.stdout).write(
    table(['TABLE', 'EXPORTED'], [...rows, ['files', count(files)]]) + (toOutput ? '' : `Written to ${file}.\n`),
  );
  await note(config, toOutput ? 'standard output' : file);
  return 0;
}

async function note(config: Config, subject: string): Promise<void> {
  const { access, close } = await openAccessStore(config);
  try {
    await access.audit({ at: Date.now(), actor: 'command line', act: 'store exported', subject });
  } finally {
    await close();
  }
}
