// `npm run release`: builds everything that a release consists of. It publishes nothing; .github/workflows/release.yml does.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { API_VERSION } from '@tickwire/contract';
import { writeChecksums } from '../pack/checksums.ts';
import type { Target } from '../pack/executables.ts';
import { pack, targetsOf } from '../pack/pack.ts';
import { productVersion, ROOT, run } from '../pack/repository.ts';
import type { ServiceFiles } from '../pack/service-build.ts';
import { dateChanges, notesOf } from './changelog.ts';
import { readSbom } from './sbom.ts';
import { setVersion, statedVersions } from './version.ts';

const HELP = `npm run release -- [--dry-run] [--executables=all|none|TARGET,…] [--out FOLDER] [--repository URL]
npm run release -- --set VERSION

Builds npm packages, Python packages, executables, checksums, a bill of materials (CycloneDX) and release notes into
dist/release. Nothing is published.

  --dry-run        build from any state; otherwise the work tree must be clean and tagged as vVERSION
  --executables    platforms of the executables (default: all); downloads their Bun once
  --set VERSION    write a new version to every file that states it, and date the changes in CHANGELOG.md
`;
const CHANGELOG = join(ROOT, 'CHANGELOG.md');

export interface ReleaseOptions {
  readonly out: string;
  readonly targets: readonly Target[];
  readonly repository?: string | undefined;
  /** Default: they are built. */
  readonly files?: ServiceFiles;
}

/** Returns the paths of the files. */
export async function buildRelease({ out, targets, repository, files: given }: ReleaseOptions): Promise<string[]> {
  const version = productVersion();
  const changelog = readFileSync(CHANGELOG, 'utf8');
  // Only a dry run has notes that are not dated yet.
  const notes = notesOf(changelog, version) ?? notesOf(changelog, 'Unreleased')!;
  const other = statedVersions().find((stated) => stated.version !== version);
  if (other)
    throw new Error(`${other.file} states version ${other.version}; run "npm run release -- --set ${version}"`);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const files = await pack({ out, repository, python: true, targets, files: given });
  const sbom = join(out, `tickwire-${version}.cdx.json`);
  writeFileSync(sbom, `${JSON.stringify(readSbom(), null, 2)}\n`);
  const sums = readFileSync(writeChecksums(out), 'utf8');
  const notesFile = join(out, 'RELEASE-NOTES.md');
  writeFileSync(notesFile, releaseNotes(version, notes, sums));
  return [...files, sbom, notesFile];
}

const releaseNotes = (version: string, notes: string, sums: string): string =>
  [
    `# Tickwire ${version}`,
    `\`npm install tickwire@${version}\`, \`npm install @tickwire/client@${version}\`, \`pip install tickwire==${version}\`, or one of the executables below.`,
    notes,
    `### Checksums (SHA-256)\n\n\`\`\`\n${sums}\`\`\``,
    '',
  ].join('\n\n');

/** Fails unless the commit is the one that the tag of the version names, without changes, and has dated notes. */
function requireTaggedCommit(): void {
  if (!notesOf(readFileSync(CHANGELOG, 'utf8'), productVersion()))
    throw new Error(`CHANGELOG.md has no section ${productVersion()}`);
  const tag = `v${productVersion()}`;
  if (run(['git', 'status', '--porcelain']) !== '') throw new Error('the work tree has changes; commit them first');
  if (!run(['git', 'tag', '--points-at', 'HEAD']).split('\n').includes(tag))
    throw new Error(`this commit has no tag ${tag}`);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean' },
      executables: { type: 'string', default: 'all' },
      out: { type: 'string', default: join(ROOT, 'dist/release') },
      repository: { type: 'string' },
      set: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  try {
    if (values.help) process.stdout.write(HELP);
    else if (values.set !== undefined) {
      const date = new Date().toISOString().slice(0, 10);
      const release = { version: values.set, date, interfaceVersion: API_VERSION };
      const dated = dateChanges(readFileSync(CHANGELOG, 'utf8'), release);
      setVersion(values.set);
      writeFileSync(CHANGELOG, dated);
    } else {
      if (!values['dry-run']) requireTaggedCommit();
      const targets = values.executables === 'none' ? [] : targetsOf(values.executables);
      const files = await buildRelease({ out: resolve(values.out), targets, repository: values.repository });
      process.stdout.write(`${files.map((file) => basename(file)).join('\n')}\n`);
    }
  } catch (error) {
    process.stderr.write(`release: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
