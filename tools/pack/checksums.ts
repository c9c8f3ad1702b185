// SHA256SUMS: the checksums of the files in a folder of packages, which deploy/install.sh and `sha256sum --check` read.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALLER } from './executables.ts';

/** Lists every artefact in the folder, also those of earlier runs. Returns the path of the list. */
export function writeChecksums(folder: string): string {
  const hashOf = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  const names = readdirSync(folder).filter((name) => name === INSTALLER || name.startsWith('tickwire-'));
  const path = join(folder, 'SHA256SUMS');
  writeFileSync(
    path,
    names
      .sort()
      .map((name) => `${hashOf(name)}  ${name}\n`)
      .join(''),
  );
  return path;
}
