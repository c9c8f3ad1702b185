// `tickwire import` for a file that `tickwire export` wrote: fills an empty store, and compares the row counts of both sides.
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Config } from '../config/config.ts';
import { StoreError } from '../errors/store-error.ts';
import { formatCount, stderrProgress } from '../ops/progress.ts';
import { table } from '../ops/table.ts';
import { fillStore } from '../store/archive/archive-store.ts';
import { isArchive, readArchive } from '../store/archive/format.ts';
import { countsAgree, importArchive, type TableCount } from '../store/archive/import.ts';
import { openAccessStore } from '../store/open-store.ts';

const HEADER_BYTES = 4_096;

/** Whether `tickwire export` wrote this file. `-` is standard input, which always holds an export. */
export function isArchiveFile(name: string): boolean {
  if (name === '-') return true;
  if (!statSync(name, { throwIfNoEntry: false })?.isFile()) return false;
  const file = openSync(name, 'r');
  try {
    const header = new Uint8Array(HEADER_BYTES);
    return isArchive(header.subarray(0, readSync(file, header)));
  } finally {
    closeSync(file);
  }
}

export async function importArchiveFile(config: Config, name: string): Promise<number> {
  const from: Readable = name === '-' ? process.stdin : createReadStream(name);
  const progress = stderrProgress('import');
  let counts: TableCount[] = [];
  try {
    await fillStore(config, async (target) => {
      counts = await importArchive({
        lines: readArchive(from),
        target,
        files: config,
        onProgress: (done, total) => progress.update(done, total, done),
      });
      // Thrown before the data is committed.
      if (!countsAgree(counts)) throw new CountsDiffer('the row counts differ; nothing was imported');
    });
  } catch (error) {
    progress.end();
    if (error instanceof CountsDiffer) process.stdout.write(countsTable(counts));
    throw error;
  }
  progress.end();
  process.stdout.write(countsTable(counts));
  const rows = counts.reduce((sum, { imported }) => sum + imported, 0);
  process.stdout.write(
    `${formatCount(rows)} rows imported in ${(progress.elapsedMs / 1000).toFixed(1)} s; all row counts match.\n`,
  );
  await using opened = await openAccessStore(config);
  const subject = name === '-' ? 'standard input' : name;
  await opened.access.audit({ at: Date.now(), actor: 'command line', action: 'store imported', subject });
  return 0;
}

class CountsDiffer extends StoreError {}

const countsTable = (counts: readonly TableCount[]): string =>
  table(
    ['TABLE', 'EXPORTED', 'IMPORTED', ''],
    counts.map(({ table: name, exported, imported }) => [
      name,
      formatCount(exported),
      formatCount(imported),
      exported === imported ? '' : 'DIFFERS',
    ]),
  );
