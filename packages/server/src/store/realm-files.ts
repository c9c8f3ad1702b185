// Plain files of a realm beside its databases: sealed evidence, and the key that signs the heads of the signal log.
import { constants, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withFileErrors } from './sqlite/errors.ts';

/** The realms that are kept. `replay` is emptied at each start. */
export const KEPT_REALMS = ['sim', 'live'] as const;
export const EVIDENCE = 'evidence';
export const LOG_KEY = 'log-key.pem';

/** Copies the plain files of a realm to another folder; returns the files written. */
export function copyRealmFiles(from: string, to: string): string[] {
  const copied: string[] = [];
  const copy = (name: string, how: (source: string, target: string) => void): void => {
    const target = join(to, name);
    withFileErrors(target, () => {
      mkdirSync(dirname(target), { recursive: true });
      try {
        how(join(from, name), target);
        copied.push(target);
      } catch (error) {
        // A temporary file may be renamed between being listed and being copied.
        if (existsSync(join(from, name))) throw error;
      }
    });
  };
  for (const name of plainFiles(from)) copy(name, name === LOG_KEY ? copySecret : copyNew);
  return copied;
}

/** Names relative to the folder of the realm. */
export const plainFiles = (folder: string): string[] => [
  ...(existsSync(join(folder, LOG_KEY)) ? [LOG_KEY] : []),
  ...filesUnder(folder, EVIDENCE),
];

/** Readable only by its owner from the first byte on, whatever the mode of the source. */
export const copySecret = (source: string, target: string): void =>
  writeFileSync(target, readFileSync(source), { flag: 'wx', mode: 0o600 });

const copyNew = (source: string, target: string): void => copyFileSync(source, target, constants.COPYFILE_EXCL);

/** Names relative to `root`, ascending. */
function filesUnder(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = join(folder, entry.name);
      if (entry.isDirectory()) return filesUnder(root, name);
      return entry.isFile() ? [name] : [];
    });
}
