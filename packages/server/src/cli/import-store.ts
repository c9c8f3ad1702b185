// What `tickwire import` does with a file that `tickwire export` wrote: fills an empty store with it, and counts both sides.
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import { count, Progress } from '../import/progress.ts';
import { fillStore } from '../store/archive/ends.ts';
import { isExport, readLines } from '../store/archive/format.ts';
import { agree, importLines, type TableCount } from '../store/archive/import.ts';
import { openAccessStore } from '../store/open.ts';
import { StoreError } from '../store/store.ts';
import { table } from './table.ts';

const LOOK_BYTES = 4_096;

/** Whether `tickwire export` wrote this file; `-` is standard input, which nothing else is read from. */
export function isStoreExport(name: string): boolean {
  if (name === '-') return true;
  if (!statSync(name, { throwIfNoEntry: false })?.isFile()) return false;
  const file = openSync(name, 'r');
  try {
    const beginning = new Uint8Array(LOOK_BYTES);
    return isExport(beginning.subarray(0, readSync(file, beginning)));
  } finally {
    closeSync(file);
  }
}

export async function importStore(config: Config, name: string): Promise<number> {
  const from: Readable = name === '-' ? process.stdin : createReadStream(name);
  const progress = new Progress({
    label: 'import',
    terminal: process.stderr.isTTY,
    write: (text) => process.stderr.write(text),
  });
  let counts: TableCount[] = [];
  try {
    await fillStore(config, async (target) => {
      counts = await importLines({
        lines: readLines(from),
        target,
        folder: config.data,
        onProgress: (done, total) => progress.update(done, total, done),
      });
      // Thrown before anything is kept.
      if (!agree(counts)) throw new CountsDiffer('the counts of both sides differ: nothing was kept');
    });
  } catch (error) {
    progress.end();
    if (error instanceof CountsDiffer) process.stdout.write(bothSides(counts));
    throw error;
  }
  progress.end();
  process.stdout.write(bothSides(counts));
  const rows = counts.reduce((sum, { imported }) => sum + imported, 0);
  process.stdout.write(`${count(rows)} imported in ${(progress.elapsedMs / 1000).toFixed(1)} s; both sides agree.\n`);
  const { access, close } = await openAccessStore(config);
  try {
    const subject = name === '-' ? 'standard input' : name;
    await access.audit({ at: Date.now(), actor: 'command line', act: 'store imported', subject });
  } finally {
    await close();
  }
  return 0;
}

class CountsDiffer extends StoreError {}

const bothSides = (counts: readonly TableCount[]): string =>
  table(
    ['TABLE', 'EXPORTED', 'IMPORTED', ''],
    counts.map(({ table: name, exported, imported }) => [
      name,
      count(exported),
      count(imported),
      exported === imported ? '' : 'DIFFERS',
    ]),
  );
