// The npm package `tickwire`: its contents, and the service that runs after `npm install` in an empty folder.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { postgresForTests } from '../../packages/server/testing/external-services.fixture.ts';
import { testDatabase } from '../../packages/server/testing/store/postgres-database.fixture.ts';
import {
  BARE,
  copyPackages,
  emptyFolder,
  InstalledService,
  install,
  runIn,
  sharedServiceFiles,
} from './installed.fixture.ts';
import { installedServiceTests, withSources } from './installed-service.suite.ts';
import { packService } from './npm-packages.ts';
import { type Manifest, ROOT, readManifest, run } from './repository.ts';
import { WORKERS } from './service-build.ts';

/** The model is 12 MB of it and the guide 3 MB, and both are hardly compressible. */
const MAX_TARBALL_BYTES = 18e6;
const MAX_INSTALLED_BYTES = 29e6;
const CONTENTS =
  /^(LICENSE|NOTICE|README\.md|MODEL-CARD\.md|package\.json|bin\/(tickwire|launch)\.mjs|lib\/([\w.-]+\.js|sentiment\.bin|terminal\.json|guide\.json\.zst|notices\.txt))$/;

const database = await postgresForTests();
const out = emptyFolder();
const folder = emptyFolder();
const installed = join(folder, 'node_modules/tickwire');
let tarball: string;
let service: InstalledService;
let sources: ReturnType<typeof withSources>;

beforeAll(async () => {
  tarball = await packService(await sharedServiceFiles(), { out });
  install(folder, [tarball]);
  sources = withSources(folder);
  service = await InstalledService.start(['npx', 'tickwire', 'serve'], folder, sources.settings);
});
afterAll(async () => {
  await service?.stop();
  sources?.stop();
  rmSync(out, { recursive: true, force: true });
});

const files = (): string[] =>
  readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
const content = (file: string): string => readFileSync(join(installed, file), 'utf8');
const scripts = (): string[] => files().filter((file) => file.endsWith('.js'));

installedServiceTests(() => service);

describe('the package tickwire', () => {
  test('contains the built service and its notices, and neither sources nor tests', () => {
    expect(files().filter((file) => !CONTENTS.test(file))).toEqual([]);
    for (const worker of WORKERS) expect(files()).toContain(`lib/${worker.replace(/^.*\//, '').replace('.ts', '.js')}`);
    expect(scripts().filter((file) => /bun:test|fast-check|\.fixture/.test(content(file)))).toEqual([]);
  });

  test('does not depend on this repository', () => {
    const { dependencies, optionalDependencies } = JSON.parse(content('package.json')) as Manifest;
    expect(dependencies).toBeUndefined();
    expect(optionalDependencies).toEqual(readManifest('packages/server').optionalDependencies!);
    const packages = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(packages.sort()).toEqual(['@oven', 'tickwire']);
    expect(scripts().filter((file) => content(file).includes(ROOT))).toEqual([]);
  });

  test('is not too large', () => {
    expect(statSync(tarball).size).toBeLessThan(MAX_TARBALL_BYTES);
    const size = files().reduce((sum, file) => sum + statSync(join(installed, file)).size, 0);
    expect(size).toBeLessThan(MAX_INSTALLED_BYTES);
  });

  test('has a notice for every library in it', () => {
    const named = (script: string) =>
      [...content(script).matchAll(/^\/\/ (?:packages\/\w+\/)?node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//gm)].map(
        ([, name]) => name!,
      );
    const bundled = new Set(scripts().flatMap(named));
    expect(bundled.size).toBeGreaterThan(40);
    // Parts of the terminal, whose scripts name no files.
    for (const name of ['preact', '@preact/signals', 'lightweight-charts', '@fontsource-variable/inter'])
      bundled.add(name);
    const notice = content('NOTICE');
    expect([...bundled].filter((name) => !notice.includes(`\n${name} `))).toEqual([]);
    expect(notice).toContain('SEntFiN');
    expect(notice).toContain('Bun, which runs the service');
  });

  test('has the same bytes if it is packed from the build context of the image', () => {
    const context = emptyFolder();
    for (const file of imageContext()) {
      mkdirSync(join(context, dirname(file)), { recursive: true });
      cpSync(join(ROOT, file), join(context, file));
    }
    copyPackages(context);
    run(['node', 'packages/server/bin/bun.mjs', 'tools/pack/pack.ts', '--service', '--out', join(context, 'packed')], {
      cwd: context,
    });
    const name = readdirSync(join(context, 'packed')).find((each) => each.endsWith('.tgz'));
    expect(hashOf(join(context, 'packed', name!))).toBe(hashOf(tarball));
    rmSync(context, { recursive: true });
    // It builds the guide again: a minute of computing, beside other tests.
  });
});

describe('the command of the package', () => {
  const tickwire = (...args: string[]) => runIn(folder, ['npx', 'tickwire', ...args], { npm_config_loglevel: 'error' });

  test('knows its version and the notices', () => {
    expect(tickwire('--version').out).toBe(`tickwire ${readManifest('.').version}\n`);
    expect(tickwire('licenses').out).toBe(content('NOTICE'));
  });

  test('ends quietly when the reader of its output does', () => {
    expect(runIn(folder, ['sh', '-c', 'npx --loglevel=error tickwire licenses | head -n 1']).out).toBe('Tickwire\n');
  });

  test('manages the running service', () => {
    const created = JSON.parse(tickwire('keys', 'create', '--tier', 'free', '--name', 'bot', '--json').out);
    expect(created).toMatchObject({ tier: 'free' });
  });

  test.skipIf(database === null)('creates the tables in PostgreSQL', async () => {
    const { url, dispose } = await testDatabase(database!, { empty: true });
    expect(tickwire('migrate', '--database-url', url)).toMatchObject({ status: 0 });
    await dispose();
  });
});

const hashOf = (file: string): string => new Bun.CryptoHasher('sha256').update(readFileSync(file)).digest('hex');

/** The tracked files that .dockerignore leaves in the build context. */
function imageContext(): string[] {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && line !== '*' && !line.startsWith('#'));
  const matches = (pattern: string, file: string): boolean =>
    [pattern, `${pattern}/**`].some((each) => new Bun.Glob(each).match(file));
  const kept = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const leftOut = lines.filter((line) => !line.startsWith('!'));
  return run(['git', 'ls-files', '--cached', '--others', '--exclude-standard'], { env: BARE })
    .split('\n')
    .filter((file) => kept.some((pattern) => matches(pattern, file)))
    .filter((file) => !leftOut.some((pattern) => matches(pattern, file)));
}
