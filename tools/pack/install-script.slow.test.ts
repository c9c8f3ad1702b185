// deploy/install.sh: from a folder and over HTTP, and what it refuses. The executable is a script here; executable.slow.test.ts
// installs a real one.
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { writeChecksums } from './checksums.ts';
import { executableName, hostTarget } from './executables.ts';
import { BARE, type Ended, emptyFolder } from './installed.fixture.ts';
import { ROOT } from './repository.ts';

const SCRIPT = join(ROOT, 'deploy/install.sh');
const EXECUTABLE = executableName(hostTarget());
const FAKE = '#!/bin/sh\necho tickwire 0.1.0\n';

let root: string;
let source: string;
let home: string;
const bin = (): string => join(home, '.local/bin');

beforeEach(() => {
  root = emptyFolder();
  [source, home] = [join(root, 'dist'), join(root, 'home')];
  for (const folder of [source, home]) mkdirSync(folder);
  writeFileSync(join(source, EXECUTABLE), FAKE);
  writeChecksums(source);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function install(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = Bun.spawn(['sh', SCRIPT, ...args], {
    env: { ...BARE, HOME: home, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { status: await child.exited, out: out + err };
}

/** A server of the source folder, which ends a response in the middle if `cut` says so. */
async function serve(cut: (path: string) => boolean = () => false) {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url!.slice(1);
    paths.push(path);
    if (!existsSync(join(source, path))) return response.writeHead(404).end();
    const body = readFileSync(join(source, path));
    response.setHeader('Content-Length', body.length);
    if (!cut(path)) return response.end(body);
    return response.write(body.subarray(0, 10), () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths, stop };
}

/** A folder for the PATH in which `uname` names another platform. */
function otherPlatform(system: string, machine: string): Record<string, string> {
  const folder = join(root, 'commands');
  mkdirSync(folder);
  writeFileSync(join(folder, 'uname'), `#!/bin/sh\n[ "$1" = -s ] && echo ${system} || echo ${machine}\n`);
  chmodSync(join(folder, 'uname'), 0o755);
  return { PATH: `${folder}:${BARE.PATH}` };
}

test('installs from a folder without root, and says how to go on', async () => {
  const { status, out } = await install(['--from', source]);
  expect(status).toBe(0);
  expect(out).toContain(`Installed tickwire 0.1.0 as ${bin()}/tickwire`);
  expect(out).toContain(`export PATH="${bin()}:$PATH"`);
  expect(out).toContain(`${bin()}/tickwire serve`);
  expect(readdirSync(bin())).toEqual(['tickwire']);
  const again = await install(['--from', source], { PATH: `${bin()}:${BARE.PATH}` });
  expect(again.out).toEndWith('start: tickwire serve\n');
});

test('installs from an address, reads only two files of it, and takes another folder', async () => {
  const { url, paths, stop } = await serve();
  const { status } = await install(['--from', `${url}/`, '--to', join(home, 'tools')]);
  stop();
  expect(status).toBe(0);
  expect(paths).toEqual(['SHA256SUMS', EXECUTABLE]);
  expect(readdirSync(join(home, 'tools'))).toEqual(['tickwire']);
});

test('keeps what is installed, and leaves nothing else, if a checksum is wrong or a download breaks off', async () => {
  await install(['--from', source]);
  const { url, stop } = await serve((path) => path === EXECUTABLE);
  const broken = await install(['--from', url]);
  stop();
  expect(broken).toMatchObject({ status: 1, out: expect.stringContaining(`${EXECUTABLE} could not be read`) });
  writeFileSync(join(source, EXECUTABLE), `${FAKE}# changed\n`);
  const changed = await install(['--from', source]);
  expect(changed).toMatchObject({ status: 1, out: expect.stringContaining('but SHA256SUMS says') });
  expect(readdirSync(bin())).toEqual(['tickwire']);
  expect(readFileSync(join(bin(), 'tickwire'), 'utf8')).toBe(FAKE);
});

test('removes its partial files if it is stopped during a download', async () => {
  const waiting = Promise.withResolvers<void>();
  const server = createServer(() => waiting.resolve());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const child = Bun.spawn(['sh', SCRIPT, '--from', url], {
    env: { ...BARE, HOME: home },
    detached: true,
    stdout: 'ignore',
    stderr: 'ignore',
  });
  await waiting.promise;
  expect(readdirSync(bin())).toHaveLength(1);
  // As Ctrl-C does: to the script and the command that it runs.
  process.kill(-child.pid, 'SIGINT');
  expect(await child.exited).not.toBe(0);
  server.closeAllConnections();
  server.close();
  expect(readdirSync(bin())).toEqual([]);
});

test('installs nothing that does not start', async () => {
  writeFileSync(join(source, EXECUTABLE), '#!/bin/sh\nexit 1\n');
  writeChecksums(source);
  expect(await install(['--from', source])).toMatchObject({
    status: 1,
    out: expect.stringContaining('does not start'),
  });
  expect(readdirSync(bin())).toEqual([]);
});

test.each([
  ['Linux', 'aarch64', /^install: \S+ has no executable for linux-arm64(-musl)?; nothing was installed$/m],
  ['Darwin', 'arm64', /has no executable for darwin-arm64;/],
  ['Linux', 'riscv64', /no executable for the processor riscv64, only for x64 and arm64;/],
  ['MINGW64_NT-10.0', 'x86_64', /on Windows, start tickwire-VERSION-windows-x64\.exe itself;/],
])('says what is missing on %s %s', async (system, machine, reason) => {
  // This machine may be one of them.
  rmSync(join(source, EXECUTABLE));
  writeChecksums(source);
  const { status, out } = await install(['--from', source], otherPlatform(system, machine));
  expect(status).toBe(1);
  expect(out).toMatch(reason);
});

test.each([
  [[], 'with --from'],
  [['--from', 'http://tickwire.example'], 'is not an https:// address'],
  [['--form', 'dist'], 'unknown argument --form'],
  [['--from', '/nonexistent'], '/nonexistent/SHA256SUMS could not be read'],
])('refuses %p', async (args, reason) => {
  expect(await install(args)).toMatchObject({ status: 1, out: expect.stringContaining(reason) });
});
