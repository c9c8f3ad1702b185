// The product version is the same everywhere, and the changelog has it.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_VERSION } from '@tickwire/contract';
import { productVersion, ROOT } from '../pack/repository.ts';
import { dateChanges, notesOf, releasesOf } from './changelog.ts';
import { setVersion, statedVersions } from './version.ts';

const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');

test('every file that states the version states that of the root', () => {
  const version = productVersion();
  const stated = statedVersions();
  expect(stated.length).toBeGreaterThan(25);
  expect(stated.filter((each) => each.version !== version)).toEqual([]);
});

test('the newest release of the changelog is the version, with the interface version, once there is a release', () => {
  for (const { version } of releasesOf(changelog).slice(0, 1)) {
    expect(version).toBe(productVersion());
    expect(notesOf(changelog, version)).toStartWith(`Interface version ${API_VERSION}.`);
  }
  expect(changelog).toContain(`It is ${API_VERSION}.`);
});

test('the version can be released: it is dated, or its changes can be', () => {
  const release = { version: productVersion(), date: '2026-02-02', interfaceVersion: API_VERSION };
  const dated = releasesOf(changelog).length > 0 ? changelog : dateChanges(changelog, release);
  expect(notesOf(dated, productVersion())).toContain('### Added');
});

test('releases of the changelog are in order', () => {
  const dates = releasesOf(changelog).map(({ date }) => date);
  expect(dates).toEqual(dates.toSorted().reverse());
});

test('dating turns the unreleased changes into those of a version', () => {
  const before = '# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n';
  const after = dateChanges(before, { version: '0.2.0', date: '2026-02-02', interfaceVersion: '1.3.0' });
  expect(notesOf(after, 'Unreleased')).toBe('');
  expect(notesOf(after, '0.2.0')).toBe('Interface version 1.3.0.\n\n- New.');
  expect(notesOf(after, '0.1.0')).toBe('- First.');
  expect(releasesOf(after)).toEqual([
    { version: '0.2.0', date: '2026-02-02' },
    { version: '0.1.0', date: '2026-01-01' },
  ]);
  expect(() => dateChanges(after, { version: '0.3.0', date: '2026-03-03', interfaceVersion: '1.3.0' })).toThrow(
    'CHANGELOG.md has no unreleased changes',
  );
  expect(() => dateChanges(before, { version: '0.1.0', date: '2026-03-03', interfaceVersion: '1.3.0' })).toThrow(
    'CHANGELOG.md already has 0.1.0',
  );
});

test('only a semantic version can be set', () => {
  expect(() => setVersion('next')).toThrow('next is not a semantic version such as 1.2.3');
});
