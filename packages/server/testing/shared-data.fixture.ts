// Real recordings. A compact set is part of the repository (recordings/README.md). The full set is kept beside the
// repository: a clone does not have it, `.ci/run` requires it unless it is started with --compact.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { reportSkipped } from './skipped.fixture.ts';

const FULL_SET = resolve(import.meta.dir, '../../../../shared/data');

/** The path of a file or folder of the compact set. */
export const recording = (path: string): string => join(import.meta.dir, 'recordings', path);

/** The path of a file or folder of the full set. */
export const sharedData = (path: string): string => join(FULL_SET, path);

/** Whether the full set lacks the data; reports why the tests are skipped. */
export function sharedDataMissing(path: string): boolean {
  if (existsSync(sharedData(path))) return false;
  const isRequired = process.env.TICKWIRE_TEST_REQUIRE_RECORDINGS === '1';
  reportSkipped('tests on the full recordings', 'only the compact ones are part of the repository', isRequired);
  return true;
}

type RecordingSet = [name: 'compact' | 'full', path: typeof recording];

/** The sets to test, as rows of `describe.each`: the compact one and, if it has the folder, the full one. */
export const recordingSets = (folder: string): RecordingSet[] => [
  ['compact', recording],
  ...(sharedDataMissing(folder) ? [] : [['full', sharedData] satisfies RecordingSet]),
];

/** The path in the full set or, in a clone, in the compact one. */
export const fullestRecording = (path: string): string => (sharedDataMissing(path) ? recording : sharedData)(path);
