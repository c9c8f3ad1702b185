// Files that are written completely or not at all, also if the power fails.
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Name of a file while it is being written. */
export const draftName = (file: string): string => `${file}.${process.pid}.new`;

/** Writes a file that only its owner can read. */
export function writePrivateFile(file: string, text: string): void {
  writeFileSync(draftName(file), text, { mode: 0o600 });
  renameDraft(file);
}

/** Gives a complete draft its name. The rename survives a power cut only once the folder is synced to disk, too. */
export function renameDraft(file: string): void {
  syncToDisk(draftName(file), 'r+');
  renameSync(draftName(file), file);
  syncToDisk(dirname(file), 'r');
}

function syncToDisk(path: string, flags: 'r' | 'r+'): void {
  const handle = openSync(path, flags);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
