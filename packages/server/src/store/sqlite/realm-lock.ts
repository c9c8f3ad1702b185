// The lock of the service on the folder of a realm: two services cannot write to the same folder. The operating system
// releases it if the process dies.
import { Database } from 'bun:sqlite';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../../errors/store-error.ts';
import { isBusy, withFileErrors } from './errors.ts';

export const LOCK = 'service.lock';

/** Returns the function that releases the lock. Throws a StoreError if another process holds it. */
export function lockRealm(folder: string): () => void {
  const file = join(folder, LOCK);
  return withFileErrors(file, () => {
    mkdirSync(folder, { recursive: true });
    const database = new Database(file, { create: true });
    try {
      database.run('PRAGMA locking_mode = EXCLUSIVE');
      database.run('BEGIN EXCLUSIVE');
      return () => database.close();
    } catch (error) {
      database.close();
      if (!isBusy(error)) throw error;
      throw new StoreError(`${folder} is in use by another Tickwire: stop it, or set TICKWIRE_DATA to another folder`);
    }
  });
}
