// The launcher: finds Bun or explains its absence, forwards signals once, and returns the exit status.
import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Prepared, preparedFolder } from '../testing/prepared-folder.fixture.ts';
import { eventually, isAlive, killLeftovers, ServiceProcess } from '../testing/process.fixture.ts';
import { temporaryFolder } from '../testing/service.fixture.ts';
import { TestStream } from '../testing/stream.fixture.ts';
import { platformPackage } from './launch.mjs';

const BIN = dirname(fileURLToPath(import.meta.url));
const BUN = join(BIN, 'bun.mjs');
const NODE = Bun.which('node')!;
const folders: string[] = [];
const folder = (): string => {
  const made = temporaryFolder();
  folders.push(made);
  return made;
};

const prepared = async (): Promise<Prepared> => {
  const made = await preparedFolder();
  folders.push(made.data);
  return made;
};

afterAll(async () => {
  await killLeftovers();
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

test.each([
  ['linux', 'x64', false, '@oven/bun-linux-x64'],
  ['linux', 'x64', true, '@oven/bun-linux-x64-musl'],
  ['linux', 'arm64', false, '@oven/bun-linux-aarch64'],
  ['linux', 'arm64', true, '@oven/bun-linux-aarch64-musl'],
  ['darwin', 'x64', false, '@oven/bun-darwin-x64'],
  ['darwin', 'arm64', false, '@oven/bun-darwin-aarch64'],
  ['win32', 'x64', false, '@oven/bun-windows-x64'],
  ['win32', 'arm64', false, '@oven/bun-windows-aarch64'],
  ['freebsd', 'x64', false, undefined],
  ['linux', 'riscv64', false, undefined],
] as const)('on %s %s (musl: %p) Bun comes from %s', (platform, arch, musl, name) => {
  expect(platformPackage(platform, arch, musl)).toBe(name);
});

test('every platform package of the launcher is an optional dependency', async () => {
  const manifest = (await Bun.file(join(BIN, '..', 'package.json')).json()) as {
    optionalDependencies: Record<string, string>;
  };
  const asked = ['linux', 'darwin', 'win32'].flatMap((platform) =>
    ['x64', 'arm64'].flatMap((arch) => [true, false].map((musl) => platformPackage(platform, arch, musl))),
  );
  expect(Object.keys(manifest.optionalDependencies).sort()).toEqual([...new Set(asked)].sort() as string[]);
  expect(new Set(Object.values(manifest.optionalDependencies)).size).toBe(1);
});

describe('if Bun is not installed with the package', () => {
  /** The launcher alone, with only `files` on the PATH. */
  const alone = (files: Record<string, string>): { launcher: string; path: string } => {
    const home = folder();
    cpSync(BIN, join(home, 'bin'), { recursive: true });
    const path = join(home, 'path');
    mkdirSync(path);
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(path, name), content);
      chmodSync(join(path, name), 0o755);
    }
    return { launcher: join(home, 'bin', 'tickwire.mjs'), path };
  };
  const run = ({ launcher, path }: { launcher: string; path: string }, ...args: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([NODE, launcher, ...args], { env: { PATH: path } });
    return { status: exitCode, out: stdout.toString(), err: stderr.toString() };
  };

  test('and not on the PATH, explains what to do', () => {
    const { status, out, err } = run(alone({}), 'serve');
    expect([status, out]).toEqual([1, '']);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toMatch(/^tickwire: Bun 1\.4 or newer was not found\. Install again.*@oven\/bun-.*put bun on the PATH/);
  });

  test.each(['1.3.9', '0.8.0', 'nonsense'])(
    'and the one on the PATH is too old (%s), explains what to do',
    (version) => {
      const { status, err } = run(alone({ bun: `#!/bin/sh\necho ${version}\n` }), 'serve');
      expect(status).toBe(1);
      expect(err).toContain('Bun 1.4 or newer was not found');
    },
  );

  test('uses the one on the PATH', () => {
    const place = alone({});
    symlinkSync(process.execPath, join(place.path, 'bun'));
    cpSync(join(BIN, '..', 'package.json'), join(dirname(place.path), 'package.json'));
    const { exitCode, stdout } = Bun.spawnSync([NODE, join(dirname(place.launcher), 'bun.mjs'), '--version'], {
      env: { PATH: place.path },
    });
    expect([exitCode, stdout.toString().trim()]).toEqual([0, Bun.version]);
  });
});

describe('the exit status', () => {
  const launched = (code: string) => Bun.spawn([NODE, BUN, '-e', code], { stdout: 'pipe', stderr: 'pipe' });

  test.each([0, 1, 2, 77])('%d of the child is returned', async (status) => {
    expect(await launched(`process.exit(${status})`).exited).toBe(status);
  });

  test.each([
    ['SIGKILL', 137],
    ['SIGTERM', 143],
    ['SIGSEGV', 139],
  ] as const)('of a child that dies of %s is %d', async (signal, status) => {
    expect(await launched(`process.kill(process.pid, '${signal}'); setTimeout(() => {}, 9000)`).exited).toBe(status);
  });

  test('forwards a signal once, even if it is repeated', async () => {
    const child = launched(
      `let count = 0; process.on('SIGINT', () => { count++; setTimeout(() => { console.log(count); process.exit(5); }, 300); }); console.log('ready'); setInterval(() => {}, 1000);`,
    );
    const reader = child.stdout.getReader();
    await reader.read();
    // So close together that they would hit any moment without a listener.
    for (let times = 0; times < 100; times++) {
      child.kill('SIGINT');
      await Bun.sleep(1);
    }
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value).trim()).toBe('1');
    expect(await child.exited).toBe(5);
  });
});

describe('when stopped by a signal', () => {
  test('the service notifies clients, closes with 1012, completes responses, and exits with 0 within 5 seconds', async () => {
    const { data, key } = await prepared();
    const service = await ServiceProcess.start({ data });
    const streams = (['market', 'orderflow', 'signals'] as const).map(
      (channel) => new TestStream(service.url, channel),
    );
    for (const stream of streams) await stream.subscribe(key, ['*']);
    await eventually('all subscribed', () => streams.every(({ messages }) => messages.length > 0));
    let broken = 0;
    const asking = Array.from({ length: 8 }, async () => {
      for (;;) {
        const answer = await service.get('/api/market/EURUSD?timeframe=1m&bars=500', key).catch(() => null);
        // No response is fine once the port is closed; half a response never is.
        if (!answer) return;
        await answer.json().catch(() => broken++);
        if (answer.status === 503) {
          expect(answer.headers.get('retry-after')).toBe('2');
          return;
        }
        expect([200, 429]).toContain(answer.status);
        await Bun.sleep(1);
      }
    });
    await Bun.sleep(300);
    const { status, ms } = await service.stop('SIGTERM');
    await Promise.all(asking);
    expect(status).toBe(0);
    expect(ms).toBeLessThan(5_000);
    expect(broken).toBe(0);
    await eventually('all closed', () => streams.every(({ closeCode }) => closeCode !== null));
    for (const { messages, closeCode } of streams) {
      expect(messages.at(-1)).toMatchObject({ event: 'shutdown' });
      expect(messages.filter(({ event }) => event === 'shutdown')).toHaveLength(1);
      expect(closeCode).toBe(1012);
    }
    expect(service.err.match(/"message":"stopped"/g)).toHaveLength(1);
  });

  test('twice in quick succession, the service stops once and gracefully', async () => {
    const service = await ServiceProcess.start({ data: (await prepared()).data, news: 'none' });
    const child = service.bunPid!;
    service.launcher.kill('SIGINT');
    // Ctrl-C in a terminal reaches the whole process group, including the service, and a second one may follow.
    process.kill(child, 'SIGINT');
    service.launcher.kill('SIGINT');
    const { status } = await service.stop('SIGTERM');
    expect(status).toBe(0);
    expect(service.err.match(/"message":"stopped"/g)).toHaveLength(1);
    expect(service.err).not.toContain('"level":"error"');
  });

  test('the service stops gracefully by itself when its launcher is killed', async () => {
    const { data } = await prepared();
    const service = await ServiceProcess.start({ data, news: 'none' });
    const child = service.bunPid!;
    service.launcher.kill('SIGKILL');
    await eventually('the service has stopped', () => service.err.includes('"message":"stopped"'), 10_000);
    await eventually('its process has ended', () => !isAlive(child), 10_000);
    // The lock of the data folder is free.
    const next = await ServiceProcess.start({ data, news: 'none' });
    expect((await next.stop()).status).toBe(0);
  });

  test('during the start, the service stops gracefully or was not running yet', async () => {
    for (const wait of [0, 150, 400]) {
      const service = ServiceProcess.launch({ data: folder() });
      await Bun.sleep(wait);
      const { status, ms } = await service.stop('SIGTERM');
      // 143: Bun had not run the first line yet.
      expect([0, 143]).toContain(status);
      expect(ms).toBeLessThan(5_000);
      expect(service.err).not.toContain('"level":"error"');
    }
  });
});
