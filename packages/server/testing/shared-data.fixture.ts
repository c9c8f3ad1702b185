// Real recordings are kept beside the repository, not in it. Tests that need them are skipped in a clone without them.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { reportSkipped } from './skipped.fixture.ts';

const FOLDER = resolve(import.meta.dir, '../../../../shared/data');

export const sharedData = (path: string): string => join(FOLDER, path);

/** Whether the data is missing; reports why the tests are skipped. */
export function sharedDataMissing(path: string): boolean {
  if (existsSync(sharedData(path))) return false;
  reportSkipped('tests on recorded market data', 'the recordings are not part of the repository');
  return true;
}
