// Reads the deployment files for their tests, which compare them with the code and with each other.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

export const ROOT = join(import.meta.dir, '..');

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Paths, relative to the repository, of files whose name passes. */
export function files(folder: string, passes: (name: string) => boolean): string[] {
  const found: string[] = [];
  for (const name of readdirSync(join(ROOT, folder)).sort()) {
    const path = join(folder, name);
    if (name === 'node_modules') continue;
    if (statSync(join(ROOT, path)).isDirectory()) found.push(...files(path, passes));
    else if (passes(name)) found.push(relative('.', path));
  }
  return found;
}

/** Every document of a YAML file. */
export function yaml(path: string): unknown[] {
  const parsed = Bun.YAML.parse(read(path));
  return Array.isArray(parsed) ? parsed : [parsed];
}

/** Every object in a tree that passes, including the tree itself. */
export function within(tree: unknown, passes: (each: Record<string, unknown>) => boolean): Record<string, unknown>[] {
  if (typeof tree !== 'object' || tree === null) return [];
  const object = tree as Record<string, unknown>;
  const deeper = Object.values(object).flatMap((value) => within(value, passes));
  return !Array.isArray(tree) && passes(object) ? [object, ...deeper] : deeper;
}

/** Whether an image has a full version or a digest. */
export const isPinned = (image: string): boolean => /:[\w.-]*\d+\.\d+[\w.-]*$|@sha256:[0-9a-f]{64}$/.test(image);
