// The product version. Its place is package.json in the root; the files below repeat it, because npm, pip and container tools read
// it there. `npm run release -- --set VERSION` writes all of them, and a test compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { ROOT } from '../pack/repository.ts';

const SEMANTIC_VERSION = /^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/;

interface Place {
  /** Paths from the root of the repository. */
  readonly files: string;
  /** The second group is the version. */
  readonly pattern: RegExp;
}

const PLACES: readonly Place[] = [
  { files: 'package.json', pattern: /^( {2}"version": ")([^"]+)/gm },
  { files: 'packages/*/package.json', pattern: /^( {2}"version": "| {4}"@tickwire\/\w+": ")([^"]+)/gm },
  { files: 'python/pyproject.toml', pattern: /^(version = ")([^"]+)/gm },
  { files: 'python/tickwire/__init__.py', pattern: /^(__version__ = ")([^"]+)/gm },
  { files: 'Dockerfile', pattern: /(image\.version=")([^"]+)/g },
  { files: 'deploy/compose.yaml', pattern: /(tickwire:\$\{IMAGE_TAG:-)([^}]+)/g },
  { files: 'deploy/.env.example', pattern: /^(IMAGE_TAG=)(.+)/gm },
  { files: 'deploy/kubernetes/**/*.yaml', pattern: /((?<![\w/])tickwire:|example\.org\/tickwire:)([\w.-]+)/g },
];
const LOCK = 'package-lock.json';

interface Lock {
  version: string;
  readonly packages: Record<string, { version?: string; dependencies?: Record<string, string> }>;
}

export interface StatedVersion {
  readonly file: string;
  readonly version: string;
}

const filesOf = ({ files }: Place): string[] => [...new Glob(files).scanSync({ cwd: ROOT, dot: true })].sort();
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Every place that states the version. Throws if a listed file does not. */
export function statedVersions(): StatedVersion[] {
  const stated = PLACES.flatMap((place) =>
    filesOf(place).flatMap((file) =>
      [...read(file).matchAll(place.pattern)].map(([, , version]) => ({ file, version: version! })),
    ),
  );
  const silent = PLACES.filter(({ files }) => !stated.some(({ file }) => new Glob(files).match(file)));
  if (silent.length > 0) throw new Error(`no version in ${silent.map(({ files }) => files).join(', ')}`);
  return [...stated, ...lockedVersions(JSON.parse(read(LOCK)) as Lock)];
}

/** The parts of the lock file that belong to this repository. */
const ownPackages = ({ packages }: Lock) =>
  Object.entries(packages).filter(([path]) => path === '' || /^packages\/[^/]+$/.test(path));

function lockedVersions(lock: Lock): StatedVersion[] {
  const own = ownPackages(lock).flatMap(([, { version, dependencies = {} }]) => [
    version!,
    ...Object.entries(dependencies)
      .filter(([name]) => name.startsWith('@tickwire/'))
      .map(([, required]) => required),
  ]);
  return [lock.version, ...own].map((version) => ({ file: LOCK, version }));
}

/** Writes the version to every place. */
export function setVersion(version: string): void {
  if (!SEMANTIC_VERSION.test(version)) throw new Error(`${version} is not a semantic version such as 1.2.3`);
  for (const place of PLACES)
    for (const file of filesOf(place))
      writeFileSync(join(ROOT, file), read(file).replaceAll(place.pattern, `$1${version}`));
  const lock = JSON.parse(read(LOCK)) as Lock;
  lock.version = version;
  for (const [, own] of ownPackages(lock)) {
    own.version = version;
    for (const name of Object.keys(own.dependencies ?? {}))
      if (name.startsWith('@tickwire/')) own.dependencies![name] = version;
  }
  writeFileSync(join(ROOT, LOCK), `${JSON.stringify(lock, null, 2)}\n`);
}
