// Runtimes and a bundler in which packages are tested (consumers/package.json), installed on first use.
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './repository.ts';

const CONSUMERS = join(import.meta.dir, 'consumers');
const INSTALLED = join(CONSUMERS, 'node_modules');

/** A file of an installed package. */
export function consumer(path: string): string {
  if (!existsSync(INSTALLED)) installConsumers();
  return join(INSTALLED, path);
}

/** The folder with the command `node` of this version. */
export const nodeFolder = (major: 22 | 24): string =>
  consumer(`node${major === 22 ? '' : major}-linux-${process.arch}/bin`);

/** Test files run side by side: the folder appears at once. */
function installConsumers(): void {
  const draft = mkdtempSync(join(CONSUMERS, 'draft-'));
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(CONSUMERS, name), join(draft, name));
  run(['npm', 'ci', '--prefix', draft, '--ignore-scripts', '--no-audit', '--no-fund']);
  try {
    renameSync(join(draft, 'node_modules'), INSTALLED);
  } catch (error) {
    // Another test file was first.
    if (!existsSync(INSTALLED)) throw error;
  }
  rmSync(draft, { recursive: true });
}
