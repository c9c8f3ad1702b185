// Real recordings beside the repository. A clone has none: then their tests skip, and say so once.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve(import.meta.dir, '../../../../../shared/data');

export const sharedData = (path: string): string => join(FOLDER, path);

/** Whether the data is missing; prints why the tests are skipped. */
export function sharedDataMissing(path: string): boolean {
  if (existsSync(sharedData(path))) return false;
  console.warn(`skipped: ${sharedData(path)} is missing (real data is kept beside the repository, not in it)`);
  return true;
}
