// Turns errors of SQLite and the file system into a StoreError that names the file and says what to do.
import { SQLiteError } from 'bun:sqlite';
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../../errors/store-error.ts';

const FULL = 'cannot grow: the disk is full';
/** With less, SQLite may be unable to enlarge a file. */
const MIN_FREE_BYTES = 64 * 1024;

/** By SQLite result code. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/SQLITE_(BUSY|LOCKED)/, 'is locked by another process: stop it, or wait until it is done'],
  [/SQLITE_(CORRUPT|NOTADB)/, 'is damaged or not a database: move it away and restore a backup, or start without it'],
  [/SQLITE_FULL/, FULL],
  [/SQLITE_(READONLY|PERM|CANTOPEN|AUTH)/, 'cannot be opened for writing: check the folder and its permissions'],
  [/SQLITE_IOERR/, 'cannot be read or written: check the disk'],
];

/** Runs `work` on a file; its errors are thrown as StoreError. */
export function withFileErrors<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStoreError(file, error);
  }
}

/** Errors of other kinds, such as a StoreError, are returned unchanged. */
export function toStoreError(file: string, error: unknown): unknown {
  if (error instanceof SQLiteError) {
    const code = error.code ?? `SQLITE_${error.errno}`;
    const remedy =
      hidesFullDisk(code) && isDiskFull(file) ? FULL : REMEDIES.find(([pattern]) => pattern.test(code))?.[1];
    return new StoreError(`${file} ${remedy ?? `failed: ${error.message}`} (${code})`, { cause: error });
  }
  const code = (error as NodeJS.ErrnoException)?.code;
  if (code === 'ENOSPC') return new StoreError(`${file} ${FULL} (ENOSPC)`, { cause: error });
  if (code === 'EMFILE' || code === 'ENFILE')
    return new StoreError(`${file} cannot be opened: too many files are open (${code})`, { cause: error });
  // Other file system errors: EACCES, EROFS, ENOTDIR, EEXIST, ENAMETOOLONG and so on.
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    return new StoreError(`${file} cannot be created: check the folder and its permissions (${code})`, {
      cause: error,
    });
  }
  return error;
}

/** What follows from a full disk: a file that cannot be mapped or written, or a transaction that is gone when it should end. */
const hidesFullDisk = (code: string): boolean => /SQLITE_(IOERR|ERROR)/.test(code);

function isDiskFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize < MIN_FREE_BYTES;
  } catch {
    return false;
  }
}

export const isBusy = (error: unknown): boolean =>
  error instanceof SQLiteError && /SQLITE_(BUSY|LOCKED)/.test(error.code ?? '');
