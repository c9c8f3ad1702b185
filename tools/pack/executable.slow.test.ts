// The executable of this machine, started in an empty folder without Node, npm or anything else in the path.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeChecksums } from './checksums.ts';
import { buildExecutable, executableName, hostTarget, TARGETS } from './executables.ts';
import { emptyFolder, InstalledService, runIn, sharedServiceFiles } from './installed.fixture.ts';
import { installedServiceTests, withSources } from './installed-service.suite.ts';
import { targetsOf } from './pack.ts';
import { ROOT } from './repository.ts';

/** Bun is 90 to 120 MB of it. */
const MAX_BYTES = 150e6;
const NOTHING = { PATH: '', HOME: '' };

const out = emptyFolder();
let executable: string;
let service: InstalledService;
let sources: ReturnType<typeof withSources>;

beforeAll(async () => {
  executable = await buildExecutable(out, hostTarget(), await sharedServiceFiles());
  const folder = emptyFolder();
  sources = withSources(folder);
  service = await InstalledService.start([executable, 'serve'], folder, { ...sources.settings, ...NOTHING });
});
afterAll(async () => {
  await service?.stop();
  sources?.stop();
  rmSync(out, { recursive: true, force: true });
});

installedServiceTests(() => service);

describe('the executable', () => {
  const tickwire = (...args: string[]) => runIn(service.folder, [executable, ...args], NOTHING);

  test('is named after version and platform, and is not too large', () => {
    expect(executable).toEndWith(executableName(hostTarget()));
    expect(statSync(executable).size).toBeLessThan(MAX_BYTES);
  });

  test('runs commands, with the arguments of the command line', () => {
    expect(tickwire('--version').out).toMatch(/^tickwire \d+\.\d+\.\d+/);
    expect(tickwire('keys', 'list').out).toContain('House Trend');
    expect(tickwire('ai', 'score', 'Gold jumps as yields fall').out).toStartWith('bullish');
    expect(tickwire('nonsense')).toMatchObject({ status: 2, out: expect.stringContaining('unknown command') });
  });

  test('is installed by the script, over one that exists', () => {
    const bin = emptyFolder();
    writeFileSync(join(bin, 'tickwire'), 'an older one');
    writeChecksums(out);
    const script = join(ROOT, 'deploy/install.sh');
    expect(runIn(bin, ['sh', script, '--from', out, '--to', bin])).toMatchObject({ status: 0 });
    expect(runIn(bin, [join(bin, 'tickwire'), '--version'], NOTHING).out).toMatch(/^tickwire \d/);
    rmSync(bin, { recursive: true });
  });

  test('prints the notices of the libraries in it', () => {
    const { out } = tickwire('licenses');
    for (const name of ['Bun,', 'feedsmith ', 'lightweight-charts ', 'SEntFiN']) expect(out).toContain(name);
  });
});

test('platforms are chosen by name', () => {
  expect(targetsOf('')).toEqual([hostTarget()]);
  expect(targetsOf('all')).toEqual(TARGETS);
  expect(targetsOf('linux-x64,windows-x64')).toEqual(['linux-x64', 'windows-x64']);
  expect(() => targetsOf('linux-x64,solaris')).toThrow('unknown platform solaris; choose from linux-x64');
  expect(executableName('windows-x64')).toEndWith('-windows-x64.exe');
});
