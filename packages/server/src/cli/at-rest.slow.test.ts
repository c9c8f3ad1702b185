// What a service holds that nobody uses: which code is loaded, and how much memory it and its launcher take.
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { eventually, killLeftovers, ServiceProcess } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';

setDefaultTimeout(360_000);

const ROOT = resolve(import.meta.dir, '../../../..');
/** Measured: 160 to 175 MB on x64, where about 50 MB are pages of Bun's binary. */
const MAX_SERVICE_MB = 190;
const MAX_LAUNCHER_MB = 5;
/** Libraries of a service with SQLite, simulated markets and no traffic. */
const LIBRARIES = ['entities', 'uqr', 'zod'];
/** Code that is loaded when it is needed for the first time. */
const LATER = [
  'packages/guide/',
  'packages/sentiment/model/sentiment.bin.',
  'packages/server/src/ai/eval/',
  'packages/server/src/ai/llm-client.ts',
  'packages/server/src/cluster/',
  'packages/server/src/export/layouts/',
  'packages/server/src/import/dry-run/',
  'packages/server/src/import/files/',
  'packages/server/src/import/formats/',
  'packages/server/src/import/survey/',
  'packages/server/src/mcp/mcp-server.ts',
  'packages/server/src/mcp/tools/',
  'packages/server/src/pages/reference-page.ts',
  'packages/server/src/store/archive/',
  'packages/server/src/store/postgres/',
];

const data = temporaryFolder();
afterAll(async () => {
  await killLeftovers();
  rmSync(data, { recursive: true, force: true });
});

const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_000;

/** The only worker thread of a service with SQLite and simulated markets is that of the sentiment model. */
const hasModelThread = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/task`).some((id) => {
    try {
      return readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8') === 'Worker\n';
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });

/** Collects the text of a stream until the process ends. */
function collect(stream: ReadableStream<Uint8Array>): () => string {
  const decoder = new TextDecoder();
  let text = '';
  void (async () => {
    for await (const part of stream) text += decoder.decode(part, { stream: true });
  })();
  return () => text;
}

test('loads no library and no code that a service without traffic does not need', async () => {
  const preload = join(import.meta.dir, '../../testing/print-modules.fixture.ts');
  const flags = ['--port', '0', '--metrics-port', 'off', '--data', data, '--house', 'none', '--log', 'error'];
  const service = Bun.spawn(
    [process.execPath, '--preload', preload, join(import.meta.dir, 'main.ts'), 'serve', ...flags],
    {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
    },
  );
  try {
    const [printed, errors] = [collect(service.stdout), collect(service.stderr)];
    await eventually('the banner', () => printed().includes('curl'), 60_000);
    service.kill('SIGUSR2');
    await eventually('the modules', () => /^\[.*\]$/m.test(errors()), 60_000);
    const modules = (JSON.parse(/^\[.*\]$/m.exec(errors())![0]) as string[]).map((path) => relative(ROOT, path));
    expect(modules).toContain('packages/server/src/app/single-process.ts');
    const libraries = modules.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
    expect([...new Set(libraries)].toSorted()).toEqual(LIBRARIES);
    expect(modules.filter((path) => LATER.some((later) => path.startsWith(later)))).toEqual([]);
  } finally {
    service.kill('SIGKILL');
    await service.exited;
  }
});

test('lets go of what the start and the first headlines took, and the launcher is no larger than a bare Node', async () => {
  const service = await ServiceProcess.start({ data: join(data, 'resting'), sim_calibration_days: '14' });
  const bare = Bun.spawn([
    'node',
    '--input-type=module',
    '-e',
    "import 'node:child_process'; setInterval(() => {}, 1e9);",
  ]);
  try {
    const scored = async (): Promise<boolean> => {
      const { items } = (await (await service.get('/api/news', service.demoKey)).json()) as { items: unknown[] };
      return items.length > 10 || Bun.sleep(150).then(() => false);
    };
    await eventually('the thread of the model', () => hasModelThread(service.bunPid!), 60_000);
    await eventually('the headlines of the last hours', scored, 60_000);
    // It ends after ten seconds without work; its memory is returned within seconds.
    await eventually('the end of that thread', () => !hasModelThread(service.bunPid!), 120_000);
    await eventually('a service at rest', () => residentMb(service.bunPid!) < MAX_SERVICE_MB, 120_000);
    expect(residentMb(service.launcher.pid) - residentMb(bare.pid)).toBeLessThan(MAX_LAUNCHER_MB);
  } finally {
    bare.kill();
    await service.stop();
  }
});
