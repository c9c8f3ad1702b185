// `tickwire export FILE`: all stored data in one file, which `tickwire import` loads into another store. `tickwire export
// bars|ticks` is in export-history.ts.
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { StoreError } from '../errors/store-error.ts';
import { formatCount, stderrProgress } from '../ops/progress.ts';
import { table } from '../ops/table.ts';
import { readStore } from '../store/archive/archive-store.ts';
import { exportArchive } from '../store/archive/export.ts';
import { type ArchiveFooter, writeArchive } from '../store/archive/format.ts';
import { openAccessStore } from '../store/open-store.ts';
import { printHelp, readArguments, UsageError } from './arguments.ts';
import { exportHistory, isHistory } from './export-history.ts';

const HELP = `tickwire export bars|ticks FOLDER --symbol S        (tickwire export bars --help has the options)
tickwire export FILE        (- for standard output)

The first form writes history as files that other programs read.

The second form writes all stored data to one file: accounts, keys and usage, the instruments file, the keys of deliveries and
two-factor sign-in, and for simulated and live markets the bars, the tape, news, alerts, and signals with their evidence and
the key that signs their log. "tickwire import FILE" loads it into an empty store, embedded or on PostgreSQL. To move an installation to PostgreSQL, stop the service and run:

  tickwire export - | TICKWIRE_DATABASE_URL=postgres://… tickwire import -

Data that a running service writes during the export is not included. Keep the file as safe as the original.
`;

export async function exportStore(args: string[]): Promise<number> {
  if (isHistory(args[0])) return exportHistory(args);
  const { words, on, config: read } = readArguments(args, {});
  if (printHelp(on, HELP)) return 0;
  if (words.length !== 1) throw new UsageError('usage: tickwire export FILE (- for standard output)');
  const config = read();
  const toOutput = words[0] === '-';
  const file = resolve(words[0]!);
  if (!toOutput && existsSync(file)) throw new StoreError(`${file} already exists; choose another name`);
  const draft = `${file}.part`;
  const progress = stderrProgress('export');
  let ending: ArchiveFooter | null = null;
  try {
    await readStore(config, (source) =>
      writeArchive(
        exportArchive({
          source,
          files: config,
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
  const rows = Object.entries(counts).map(([name, rows]): [string, string] => [name, formatCount(rows)]);
  (toOutput ? process.stderr : process.stdout).write(
    table(['TABLE', 'EXPORTED'], [...rows, ['files', formatCount(files)]]) + (toOutput ? '' : `Written to ${file}.\n`),
  );
  await recordInAuditLog(config, toOutput ? 'standard output' : file);
  return 0;
}

async function recordInAuditLog(config: Config, subject: string): Promise<void> {
  await using opened = await openAccessStore(config);
  await opened.access.audit({ at: Date.now(), actor: 'command line', action: 'store exported', subject });
}
