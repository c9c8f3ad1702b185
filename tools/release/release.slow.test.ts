// A release without publishing: its files, checksums, bill of materials and notes. Executables have a test of their own.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { emptyFolder, sharedServiceFiles } from '../pack/installed.fixture.ts';
import { isRuntime, lockedPackages, productVersion, run } from '../pack/repository.ts';
import { notesOf } from './changelog.ts';
import { buildRelease } from './release.ts';
import type { Sbom } from './sbom.ts';

const out = emptyFolder();
const version = productVersion();
const read = (name: string): string => readFileSync(join(out, name), 'utf8');
let files: string[];

beforeAll(async () => {
  const shared = await sharedServiceFiles();
  files = await buildRelease({ out, targets: [], repository: 'https://forge.example/tickwire.git', files: shared });
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

test('has packages, checksums, a bill of materials and notes, and nothing else', () => {
  const names = [
    'RELEASE-NOTES.md',
    'SHA256SUMS',
    `tickwire-${version}-py3-none-any.whl`,
    `tickwire-${version}.cdx.json`,
    `tickwire-${version}.tar.gz`,
    `tickwire-${version}.tgz`,
    `tickwire-client-${version}.tgz`,
  ];
  expect(files.map((file) => basename(file)).sort()).toEqual(names);
  expect(readdirSync(out).sort()).toEqual(names);
});

test('has checksums that hold', () => {
  expect(run(['sha256sum', '--check', '--strict', 'SHA256SUMS'], { cwd: out }).match(/: OK$/gm)).toHaveLength(5);
});

test('has a bill of materials with every library and runtime, and no development tool', () => {
  const sbom = JSON.parse(read(`tickwire-${version}.cdx.json`)) as Sbom;
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'tickwire', version } } });
  const listed = new Set(sbom.components.map((component) => `${component.name}@${component.version}`));
  const locked = lockedPackages();
  expect(locked.filter(isRuntime).length).toBe(8);
  expect(locked.map(({ name, version: pinned }) => `${name}@${pinned}`).filter((each) => !listed.has(each))).toEqual(
    [],
  );
  const refs = new Set([sbom.metadata.component, ...sbom.components].map((component) => component['bom-ref']));
  expect(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
  expect([...listed].filter((each) => /^(typescript|@biomejs|@types|fast-check)/.test(each))).toEqual([]);
});

test('has notes with the changes and the checksums', () => {
  const notes = read('RELEASE-NOTES.md');
  expect(notes).toStartWith(`# Tickwire ${version}\n`);
  const changelog = readFileSync(join(import.meta.dir, '../../CHANGELOG.md'), 'utf8');
  expect(notes).toContain((notesOf(changelog, version) ?? notesOf(changelog, 'Unreleased'))!);
  expect(notes).toContain(read('SHA256SUMS'));
});

test('has manifests with the public address of the repository, which provenance needs', () => {
  for (const name of [`tickwire-${version}.tgz`, `tickwire-client-${version}.tgz`])
    expect(JSON.parse(run(['tar', '-xzOf', join(out, name), 'package/package.json']))).toMatchObject({
      version,
      repository: { type: 'git', url: 'https://forge.example/tickwire.git' },
    });
});
